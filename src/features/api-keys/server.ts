import type { onRequestHookHandler } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { startPoller } from '../../process/periodic.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { createApiKeyStore, hashOf } from './keys.ts';

/** The calls for which a key has its own limits. */
const calls = ['/api/resolve', '/api/files/'];

/** RFC 6750, section 2.1. */
const bearer = /^Bearer +([\w.~+/-]+=*) *$/i;

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
  /** Requests with `Authorization: Bearer KEY` have the limits of that key, in place of those of their address. */
  const nameByKey: onRequestHookHandler = (request, reply, next) => {
    const { authorization } = request.headers;
    const isCall = calls.some((address) => request.url.startsWith(address));
    if (authorization === undefined || !isCall) return next();
    const key = keys.get(hashOf(bearer.exec(authorization)?.[1] ?? ''));
    if (key === undefined) {
      void reply.header('www-authenticate', 'Bearer error="invalid_token"');
      return next(new Failure('api_key_invalid'));
    }
    tally.add('api_key', key.name);
    // In limits; no address is hashed to it.
    const name = `api-key:${key.id}`;
    request.knownVisitor = { key: name, block: name, times: key.times };
    next();
  };
  return { routes: (app) => void app.addHook('onRequest', nameByKey), close };
}
