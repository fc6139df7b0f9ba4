import { type FaultyLine, openFaultyLine } from '../../../contracts/testing/services/faulty-line.ts';
import { makeRedisPlace, type RedisPlace } from '../../../contracts/testing/services/redis-places.ts';
import { openRedis, type RedisConnection } from '../connection.ts';

const fail = (error: unknown) => {
  throw error;
};

/** Connects like an instance, to a place or to a line that leads there. */
export function openTestRedis({
  host,
  port,
  environment,
}: Pick<RedisPlace, 'host' | 'port' | 'environment'>): Promise<RedisConnection> {
  const url = new URL(environment.REDIS_URL);
  url.host = `${host}:${port}`;
  return openRedis({
    url: url.href,
    prefix: environment.REDIS_PREFIX,
    onAway() {},
    onReturn() {},
    onError: fail,
  });
}

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
