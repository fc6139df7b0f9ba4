import type { ConversionJobs } from '../../../contracts/conversion-jobs.ts';
import type { RedisConnection } from '../connection.ts';
import { createJobKeys } from './job-keys.ts';
import { createOrdering } from './order-jobs.ts';
import { workOnJobs } from './work-on-jobs.ts';

/**
 * Conversions as jobs on a Redis server, through which their bytes pass while they are made.
 * @param maxWaiting jobs that may wait
 */
export function createRedisConversionJobs(redis: RedisConnection, maxWaiting: number): ConversionJobs {
  const keys = createJobKeys(redis);
  return {
    order: createOrdering({ redis, keys, maxWaiting }),
    startWorker: (options) => workOnJobs({ ...options, redis, keys }),

    async counts() {
      try {
        const [waiting, active, places] = await redis.call((client) =>
          Promise.all([keys.waiting, keys.active, keys.workers].map((key) => client.zcard(key))),
        );
        return { waiting: waiting ?? 0, active: active ?? 0, places: places ?? 0 };
      } catch (error) {
        redis.report(error);
        return null;
      }
    },

    async canMakeHeavy() {
      try {
        return (await redis.call((client) => client.zcard(keys.heavyWorkers))) > 0;
      } catch (error) {
        redis.report(error);
        return false;
      }
    },
  };
}
