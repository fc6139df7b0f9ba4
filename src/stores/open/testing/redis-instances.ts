import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type Environment, readEnvironment } from '../../../process/environment.ts';
import type { Database } from '../../contracts/database.ts';
import { type Engine, openFreshDatabase } from '../../contracts/testing/services/databases.ts';
import { makeRedisPlace } from '../../contracts/testing/services/redis-places.ts';
import { openSharedRedis, type SharedRedis } from '../redis.ts';

const silent = pino({ level: 'silent' });

interface RedisInstances {
  readonly database: Database;
  readonly environment: Environment;
  /** Three instances that share a database and a Redis. */
  readonly instances: readonly SharedRedis[];
}

/** Opens what three instances share. @param ends gets what closes it, to be called from the last to the first */
export async function openRedisInstances(
  engine: Engine,
  ends: (() => Promise<unknown>)[],
): Promise<RedisInstances> {
  const { database, [Symbol.asyncDispose]: remove } = await openFreshDatabase(engine);
  ends.push(async () => remove());
  const place = await makeRedisPlace();
  ends.push(place.remove);
  const environment = readEnvironment({ ...place.environment, SECRET_KEY: 'x'.repeat(32) });
  const instances: SharedRedis[] = [];
  for (let n = 0; n < 3; n += 1) {
    const redis = await openSharedRedis(environment, new Registry(), silent);
    if (redis === null) throw new Error('no Redis');
    instances.push(redis);
    ends.push(redis.close);
  }
  return { database, environment, instances };
}

/** How long it takes until something is so, in ms. @param mostMs it is given up after twice as long */
export async function timeUntil(isSo: () => boolean, mostMs: number): Promise<number> {
  const since = performance.now();
  while (!isSo() && performance.now() - since < 2 * mostMs) await pause(5);
  return performance.now() - since;
}
