import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { engines, openFreshDatabase } from '../../src/stores/contracts/testing/databases.ts';
import { hasRedis, makeRedisPlace } from '../../src/stores/contracts/testing/redis-places.ts';

/** A server beside the product, with a count of what it was asked to do. */
export interface CountedServer {
  /** What the product is started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** How much so far. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** Commands of connections, and this count's own. */
const notCounted = /^cmdstat_(info|hello|auth|client|select|ping|config)\b/;

async function placeOfRedis() {
  const { REDIS_URL: given } = process.env;
  if (given !== undefined)
    return {
      environment: { REDIS_URL: given, REDIS_PREFIX: `capacity-${process.pid}` },
      remove: async () => {},
    };
  return hasRedis ? makeRedisPlace() : null;
}

/**
 * Counts commands, those that scripts run included, by `INFO commandstats`: the Redis of `REDIS_URL`, which nobody else
 * may use meanwhile, or one of our own where it is installed; null without.
 */
export async function countRedis(): Promise<CountedServer | null> {
  const place = await placeOfRedis();
  if (place === null) return null;
  const redis = new Redis(place.environment.REDIS_URL);
  return {
    environment: place.environment,
    async count() {
      const lines = (await redis.info('commandstats')).split('\n');
      return lines
        .filter((line) => line.startsWith('cmdstat_') && !notCounted.test(line))
        .reduce((sum, line) => sum + Number(/calls=(\d+)/.exec(line)?.[1] ?? 0), 0);
    },
    async close() {
      redis.disconnect();
      await place.remove();
    },
  };
}

/** The product writes once a second what has come together. */
const writtenAfterMs = 2500;

/** Counts every row by a sequence: PostgreSQL's own statistics come up to ten seconds late. */
const countRows = sql`
  create sequence counted_rows;
  create function count_row() returns trigger language plpgsql
    as $$ begin perform nextval('counted_rows'); return null; end $$;
  do $$ declare one record; begin
    for one in select tablename from pg_tables where schemaname = current_schema() loop
      execute format('create trigger counted after insert or update or delete on %I
        for each row execute function count_row()', one.tablename);
    end loop;
  end $$`;

/** Counts rows that are written, in a schema of its own on the PostgreSQL of the tests; null without. */
export async function countDatabase(): Promise<CountedServer | null> {
  const engine = engines.find(({ name }) => name === 'postgresql');
  if (engine === undefined) return null;
  const fresh = await openFreshDatabase(engine);
  const { query } = fresh.database;
  await countRows.execute(query);
  return {
    environment: fresh.place.environment,
    async count() {
      await pause(writtenAfterMs);
      const { rows } = await sql<{ written: string }>`
        select case when is_called then last_value else 0 end as written from counted_rows`.execute(query);
      return Number(rows[0]?.written);
    },
    close: async () => fresh[Symbol.asyncDispose](),
  };
}
