import type { RedisConnection } from '../connection.ts';

/**
 * The keys and channels of the job queue. Every key expires by itself.
 *
 * | key | kind | holds |
 * | --- | --- | --- |
 * | `waiting` | sorted set | job keys by their place in the queue |
 * | `active` | sorted set | job keys by the end of their lease, ms since the epoch |
 * | `workers` | sorted set | a member for each place of a worker, by the end of its lease |
 * | `heavy-workers` | sorted set | the same of the places for heavy jobs |
 * | `job:{key}` | hash | `work`; while active `worker`, `visitor` and `made`; `deaths`; `failure`; of the file
 * `length`, `etag`, `available` | | `wants:{key}` | sorted set | `{id} {visitor}` of every order, by the end of its
 * lease | | `bytes:{key}` | string | the file, as far as it is made | | `added` | channel | a job can be taken | |
 * `news:{key}` | channel | the job's state has changed; `unwanted` when its last order has left |
 */
export function createJobKeys(redis: Pick<RedisConnection, 'name'>) {
  const prefix = redis.name('conversion-jobs');
  const name = (...parts: readonly string[]) => [prefix, ...parts].join(':');
  return {
    /** Prefix of all keys; the scripts append the rest. */
    prefix,
    waiting: name('waiting'),
    active: name('active'),
    workers: name('workers'),
    heavyWorkers: name('heavy-workers'),
    added: name('added'),
    job: (key: string) => name('job', key),
    wants: (key: string) => name('wants', key),
    bytes: (key: string) => name('bytes', key),
    news: (key: string) => name('news', key),
  };
}

export type JobKeys = ReturnType<typeof createJobKeys>;
