import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { startPoller } from '../../process/poller.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { createApiKeyStore, hashOf, type ValidKey } from './keys.ts';

/** The calls for which a key has its own limits. */
const calls = ['/api/resolve', '/api/files/'];

/** RFC 6750, section 2.1. */
const bearer = /^Bearer +([\w.~+/-]+=*) *$/i;

/** A key's name, in limits; no address is hashed to it. */
const visitorOf = (id: number, times: number) => {
  const name = `api-key:${id}`;
  return { key: name, block: name, times };
};

/** The keys that requests may come with, in memory. */
interface ApiKeys {
  /** Counts a request. @returns undefined for an invalid key, or one revoked more than a second ago */
  use(key: string): ValidKey | undefined;
}

/** Requests with `Authorization: Bearer KEY` have the limits of that key, in place of those of their address. */
function apiKeyHook(app: FastifyInstance, apiKeys: ApiKeys): void {
  const nameByKey: onRequestHookHandler = (request, reply, next) => {
    const { authorization } = request.headers;
    const isCall = calls.some((address) => request.url.startsWith(address));
    if (authorization === undefined || !isCall) return next();
    const key = apiKeys.use(bearer.exec(authorization)?.[1] ?? '');
    if (key === undefined) {
      void reply.header('www-authenticate', 'Bearer error="invalid_token"');
      return next(new Failure('api_key_invalid'));
    }
    request.knownVisitor = visitorOf(key.id, key.times);
    next();
  };
  app.addHook('onRequest', nameByKey);
}

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
