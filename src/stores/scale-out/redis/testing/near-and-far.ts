import { type FaultyLine, openFaultyLine } from '../../../contracts/testing/services/faulty-line.ts';
import { makeRedisPlace } from '../../../contracts/testing/services/redis-places.ts';
import type { RedisConnection } from '../connection.ts';
import { openTestRedis } from './open-test-redis.ts';

/** Two connections to one Redis: one over a line that can be disturbed, one direct. */
export interface NearAndFar {
  readonly line: FaultyLine;
  readonly far: RedisConnection;
  readonly near: RedisConnection;
  close(): Promise<void>;
}

/** Opens them, to a separate Redis. */
export async function openNearAndFar(): Promise<NearAndFar> {
  const place = await makeRedisPlace();
  const line = await openFaultyLine(place);
  const [far, near] = await Promise.all([openTestRedis({ ...place, port: line.port }), openTestRedis(place)]);
  return {
    line,
    far,
    near,
    async close() {
      await Promise.all([far.close(), near.close()]);
      await line.close();
      await place.remove();
    },
  };
}
