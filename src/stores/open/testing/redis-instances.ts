import { pino } from 'pino';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { type Environment, readEnvironment } from '../../../process/environment.ts';
import type { Database } from '../../contracts/database.ts';
import { type Engine, engines, openFreshDatabase } from '../../contracts/testing/services/databases.ts';
import { hasRedis, makeRedisPlace } from '../../contracts/testing/services/redis-places.ts';
import { openSharedRedis, type SharedRedis } from '../redis.ts';

const silent = pino({ level: 'silent' });

interface RedisInstances {
  readonly database: Database;
  readonly environment: Environment;
  /** Three instances that share a database and a Redis. */
  readonly instances: readonly SharedRedis[];
}

/**
 * Describes what instances learn through Redis, with each engine: the poll of the database each second never happens.
 * @param defer gets what closes the resources of a test; the last one runs first
 */
export function describeRedisInstances(
  name: string,
  run: (site: RedisInstances, defer: (end: () => Promise<unknown>) => void) => Promise<void>,
): void {
  describe.skipIf(!hasRedis).each(engines)('instances with Redis and $name', (engine) => {
    const ends: (() => Promise<unknown>)[] = [];
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
    afterEach(async () => {
      for (const end of ends.splice(0).toReversed()) await end();
      vi.useRealTimers();
    });
    test(name, async () => run(await openRedisInstances(engine, ends), (end) => ends.push(end)));
  });
}

/** Opens what three instances share. @param ends gets what closes it */
async function openRedisInstances(engine: Engine, ends: (() => Promise<unknown>)[]): Promise<RedisInstances> {
  const { database, [Symbol.asyncDispose]: remove } = await openFreshDatabase(engine);
  ends.push(async () => remove());
  const place = await makeRedisPlace();
  ends.push(place.remove);
  const environment = readEnvironment({ ...place.environment, SECRET_KEY: 'x'.repeat(32) });
  const instances: SharedRedis[] = [];
  for (let n = 0; n < 3; n += 1) {
    const redis = await openSharedRedis(environment, silent);
    if (redis === null) throw new Error('no Redis');
    instances.push(redis);
    ends.push(redis.close);
  }
  return { database, environment, instances };
}
