import type { ConversionJobs } from '../../../contracts/conversion-jobs.ts';
import { type RedisConnection, RedisUnavailable } from '../connection.ts';
import { createJobKeys } from './job-keys.ts';
import { createOrdering } from './order-jobs.ts';
import { workOnJobs } from './work-on-jobs.ts';

export interface RedisConversionJobsOptions {
  readonly redis: RedisConnection;
  /** Jobs that may wait. */
  readonly maxWaiting: number;
  /** Called with the server's errors. */
  readonly onError: (error: unknown) => void;
}

/** Conversions as jobs on a Redis server, through which their bytes pass while they are made. */
export function createRedisConversionJobs({
  redis,
  maxWaiting,
  onError,
}: RedisConversionJobsOptions): ConversionJobs {
  const keys = createJobKeys(redis);
  return {
    order: createOrdering({ redis, keys, maxWaiting, onError }),
    startWorker: (options) => workOnJobs({ ...options, redis, keys, onError }),

    async counts() {
      try {
        const [waiting, active, places] = await redis.call((client) =>
          Promise.all([keys.waiting, keys.active, keys.workers].map((key) => client.zcard(key))),
        );
        return { waiting: waiting ?? 0, active: active ?? 0, places: places ?? 0 };
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) onError(error);
        return null;
      }
    },

    async canMakeHeavy() {
      try {
        return (await redis.call((client) => client.zcard(keys.heavyWorkers))) > 0;
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) onError(error);
        return false;
      }
    },
  };
}
