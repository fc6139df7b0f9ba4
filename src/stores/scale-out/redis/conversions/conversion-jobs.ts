import { Queue } from 'bullmq';
import { z } from 'zod';
import { type ConversionJobs, JobsUnavailable } from '../../../contracts/conversion-jobs.ts';
import { type RedisConnection, RedisUnavailable } from '../connection.ts';
import { createJobNames, queueName } from './job-names.ts';
import { createOrdering } from './order-job.ts';
import { workOnJobs } from './work-on-jobs.ts';

/** A job that failed is there for so long, in s, for those who wait for it to hear of it. */
const failedS = 60;
/** BullMQ's own log of what happened, which nobody reads. */
const mostEvents = 100;

const counted = z.object({ wait: z.number(), active: z.number() });

export interface RedisConversionJobsOptions {
  readonly redis: RedisConnection;
  /** Jobs that may wait. */
  readonly maxWaiting: number;
  /** Told of what the server refuses. */
  readonly onError: (error: unknown) => void;
}

/** Conversions as jobs of BullMQ on a Redis server, where their bytes pass through while they are made. */
export function createRedisConversionJobs({
  redis,
  maxWaiting,
  onError,
}: RedisConversionJobsOptions): ConversionJobs {
  const names = createJobNames(redis);
  let opened: Promise<Queue> | null = null;

  /** Opened when it is first asked for: one that is opened while the server is away would wait for it. */
  function queue(): Promise<Queue> {
    if (redis.isAway) throw new JobsUnavailable('Redis is away');
    opened ??= openQueue().catch((error: unknown) => {
      opened = null;
      throw new JobsUnavailable('the queue did not open', { cause: error });
    });
    return opened;
  }

  async function openQueue(): Promise<Queue> {
    const made = new Queue(queueName, {
      connection: redis.client,
      prefix: names.prefix,
      skipVersionCheck: true,
      streams: { events: { maxLen: mostEvents } },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: { age: failedS, count: 1000 } },
    });
    // What fails is thrown where it was asked for.
    made.on('error', () => {});
    await redis.call(() => made.waitUntilReady());
    return made;
  }

  return {
    order: createOrdering({ redis, names, queue, maxWaiting, onError }),
    work: (options) => workOnJobs({ ...options, redis, names, onError }),

    async counts() {
      try {
        const jobs = await queue();
        const [{ wait, active }, places] = await redis.call((client) =>
          Promise.all([
            jobs.getJobCounts('wait', 'active').then((counts) => counted.parse(counts)),
            client.zcard(names.makers),
          ]),
        );
        return { waiting: wait, active, places };
      } catch (error) {
        if (!(error instanceof JobsUnavailable || error instanceof RedisUnavailable)) onError(error);
        return null;
      }
    },

    async close() {
      // The connection is not its own: nothing of it is left open.
      await (await opened)?.close().catch(() => {});
    },
  };
}
