import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisConnection } from './connection.ts';

/**
 * Counts tries together with all instances, and for this one alone while Redis is away.
 * @param name of the limit, the same on all instances
 */
export function createRedisCounter(
  redis: RedisConnection,
  name: string,
  points: number,
  periodS: number,
): RateLimiterAbstract {
  return new RateLimiterRedis({
    storeClient: redis.client,
    keyPrefix: redis.name('limit', name),
    points,
    duration: periodS,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory({ points, duration: periodS }),
  });
}
