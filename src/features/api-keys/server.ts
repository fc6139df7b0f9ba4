import { startPoller } from '../../process/poller.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { type ApiKeys, apiKeyHook } from './endpoints.ts';
import { createApiKeyStore, hashOf } from './keys.ts';

/** Keeps the keys up to date. */
export default async function openApiKeys({
  database: { query },
  tally,
  logger,
}: Core): Promise<FeatureServer> {
  const store = createApiKeyStore(query, Date.now);
  let version = await store.version();
  let keys = await store.valid();

  async function refresh(): Promise<void> {
    const next = await store.version();
    if (next === version) return;
    keys = await store.valid();
    version = next;
  }

  const close = startPoller(refresh, (error) => logger.error({ err: error }, 'API keys could not be read'));
  const apiKeys: ApiKeys = {
    use(key) {
      const found = keys.get(hashOf(key));
      if (found !== undefined) tally.add('api_key', found.name);
      return found;
    },
  };
  return { routes: (app) => apiKeyHook(app, apiKeys), close };
}
