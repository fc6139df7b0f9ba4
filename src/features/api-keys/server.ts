import { Counter } from 'prom-client';
import { startPoller } from '../../process/poller.ts';
import type { Core, FeatureServer } from '../../web/feature.ts';
import { type ApiKeys, apiKeyHook } from './endpoints.ts';
import { createApiKeyStore, hashOf } from './keys.ts';

/** Keeps the keys up to date, and writes down each second how often they were used. */
export default async function openApiKeys({
  database: { query },
  metrics,
  logger,
}: Core): Promise<FeatureServer> {
  const store = createApiKeyStore(query, Date.now);
  const requests = new Counter({
    name: 'clipferry_api_key_requests_total',
    help: 'Requests that came with an API key, by the name of the key.',
    labelNames: ['name'],
    registers: [metrics],
  });
  const unwritten = new Map<number, number>();
  let version = await store.version();
  let keys = await store.valid();

  async function refresh(): Promise<void> {
    const next = await store.version();
    if (next === version) return;
    keys = await store.valid();
    version = next;
  }

  async function write(): Promise<void> {
    for (const [id, count] of unwritten) {
      await store.count(id, count);
      // Further requests may have been counted meanwhile.
      const rest = (unwritten.get(id) ?? 0) - count;
      if (rest > 0) unwritten.set(id, rest);
      else unwritten.delete(id);
    }
  }

  const close = startPoller(
    async () => {
      await refresh();
      await write();
    },
    (error) => logger.error({ err: error }, 'API keys could not be read or counted'),
  );
  const apiKeys: ApiKeys = {
    use(key) {
      const found = keys.get(hashOf(key));
      if (found === undefined) return undefined;
      requests.inc({ name: found.name });
      unwritten.set(found.id, (unwritten.get(found.id) ?? 0) + 1);
      return found;
    },
  };
  return { routes: (app) => apiKeyHook(app, apiKeys), close };
}
