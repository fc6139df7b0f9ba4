import type { RedisPlace } from '../../../contracts/testing/services/redis-places.ts';
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
