import { createHash, randomBytes } from 'node:crypto';
import type { onRequestHookHandler } from 'fastify';
import type { Generated, Kysely } from 'kysely';
import { Failure } from '../../failures/failures.ts';
import { startPoller } from '../../process/periodic.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import { createTallyStore } from '../../stores/tally/tally-store.ts';

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

/** Tells a key of this site from other secrets, for people and for programs that look for leaked ones. */
const prefix = 'clipferry_';

/** A key is random and long, so a fast hash is as safe as a slow one. */
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

/** A key of a program that uses the API. */
interface ApiKeyTable {
  id: Generated<number>;
  /** The operator's name for its holder; unique. */
  name: string;
  /** SHA-256 of the key, in hexadecimal digits. */
  hash: string;
  /** Multiple of a visitor's allowance. */
  times: number;
  made_at: number;
  /** Null while the key is valid. */
  revoked_at: number | null;
}

/**
 * The keys in the database. Every instance hears of a change by their version.
 * @param now milliseconds since 1970
 */
export function createApiKeyStore(database: Kysely<Tables>, now: () => number) {
  const query = database.$extendTables<{ api_keys: ApiKeyTable }>();
  const tally = createTallyStore(database, now);
  return {
    /** @returns the key, which cannot be shown again; null when the name is taken */
    async create(name: string, times: number) {
      const key = prefix + randomBytes(32).toString('base64url');
      const rows = await query
        .insertInto('api_keys')
        .values({ name, hash: hashOf(key), times: times, made_at: now() })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('id')
        .execute();
      return rows.length > 0 ? key : null;
    },
    /** @returns false when no valid key has the name */
    async revoke(name: string) {
      const rows = await query
        .updateTable('api_keys')
        .set({ revoked_at: now() })
        .where('name', '=', name)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute();
      return rows.length > 0;
    },
    /** The oldest first. Times are milliseconds since 1970; `usedAt` is null before the first request. */
    async list() {
      const rows = await query
        .selectFrom('api_keys')
        .select(['name', 'times', 'made_at as madeAt', 'revoked_at as revokedAt'])
        .orderBy('id')
        .execute();
      const sums = await tally.sums({ subject: 'api_key', unit: 'month', from: 0, by: ['name'] });
      const used = new Map(sums.map((sum) => [sum.name, sum]));
      return rows.map((row) => {
        const { total = 0, lastAt = null } = used.get(row.name) ?? {};
        return { ...row, requests: total, usedAt: lastAt };
      });
    },
    /** Another text after each change. */
    async version() {
      const { last, revoked } = await query
        .selectFrom('api_keys')
        .select(({ fn }) => [fn.max('id').as('last'), fn.count<number>('revoked_at').as('revoked')])
        .executeTakeFirstOrThrow();
      return `${last ?? 0}/${revoked}`;
    },
    /** The valid keys, by hash. */
    async valid() {
      const rows = await query
        .selectFrom('api_keys')
        .select(['id', 'name', 'hash', 'times'])
        .where('revoked_at', 'is', null)
        .execute();
      return new Map(rows.map(({ hash, ...key }) => [hash, key]));
    },
  };
}
