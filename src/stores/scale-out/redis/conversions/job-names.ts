import type { RedisConnection } from '../connection.ts';

/** What BullMQ calls the queue, behind the prefix of the site. */
export const queueName = 'conversions';

/** The names of everything that there is for jobs. */
export function createJobNames(redis: Pick<RedisConnection, 'name'>) {
  const prefix = redis.name('jobs');
  return {
    prefix,
    /** As BullMQ names its own keys. */
    wait: `${prefix}:${queueName}:wait`,
    job: (id: string) => `${prefix}:${queueName}:${id}`,
    deduplication: (key: string) => `${prefix}:${queueName}:de:${key}`,
    /** Places at which files can be made. */
    makers: redis.name('job', 'makers'),
    /** Instances that want a file. */
    wants: (key: string) => redis.name('job', 'wants', key),
    /** What is made for a visitor. */
    turn: (visitor: string) => redis.name('job', 'turn', visitor),
    /** There while a work is not tried again. */
    parked: (key: string) => redis.name('job', 'parked', key),
    /** How long it is, its validator, and how much of it there is. */
    file: (key: string) => redis.name('job', 'file', key),
    bytes: (key: string) => redis.name('job', 'bytes', key),
    /** Something is another now. */
    news: (key: string) => redis.name('job', 'news', key),
  };
}

export type JobNames = ReturnType<typeof createJobNames>;
