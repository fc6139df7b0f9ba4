import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import type { ValidKey } from './keys.ts';

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
export interface ApiKeys {
  /** Counts a request. @returns undefined for an invalid key, or one revoked more than a second ago */
  use(key: string): ValidKey | undefined;
}

/** Requests with `Authorization: Bearer KEY` have the limits of that key, in place of those of their address. */
export function apiKeyHook(app: FastifyInstance, apiKeys: ApiKeys): void {
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
