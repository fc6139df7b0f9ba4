import { Queue } from 'bullmq';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ConversionJobs,
  JobFailed,
  JobsUnavailable,
  type JobWorker,
  type JobWorkerOptions,
} from '../../../contracts/conversion-jobs.ts';
import { hasRedis } from '../../../contracts/testing/redis-places.ts';
import type { RedisConnection } from '../connection.ts';
import { type NearAndFar, openNearAndFar } from '../testing/near-and-far.ts';
import { createRedisConversionJobs } from './conversion-jobs.ts';
import { createJobNames, queueName } from './job-names.ts';

const unexpected = (error: unknown) => {
  throw error;
};

const jobsOn = (redis: RedisConnection, onError: (error: unknown) => void = unexpected) =>
  createRedisConversionJobs({
    redis,
    maxWaiting: 1,
    onError,
  });

const pieces = [Buffer.from('first, '), Buffer.from('then'), Buffer.from(' the rest')];
const whole = Buffer.concat(pieces);

async function* chunksOf(parts: readonly Buffer[]) {
  yield* parts;
}

const madeFile = (parts = pieces) => ({ length: whole.length, etag: '"a"', chunks: chunksOf(parts) });

describe.skipIf(!hasRedis)('with Redis', () => {
  let place: NearAndFar;
  let one: ConversionJobs;
  let other: ConversionJobs;
  const workers: JobWorker[] = [];
  const forever = new AbortController().signal;

  beforeEach(async () => {
    place = await openNearAndFar();
    one = jobsOn(place.near);
    other = jobsOn(place.far);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await Promise.all([one.close(), other.close()]);
    await place.close();
  });

  /** Has somebody take jobs. */
  const work = (make: JobWorkerOptions['make'], jobs = other) => {
    const worker = jobs.work({ atOnce: 1, make });
    workers.push(worker);
    return worker;
  };
  const order = (jobs: ConversionJobs, key: string, visitor = key) =>
    jobs.order({ key, work: `work of ${key}`, visitor }, forever, () => {});
  const bytesOf = async ({ chunks }: { chunks: AsyncIterable<Uint8Array> }) => {
    const parts: Uint8Array[] = [];
    for await (const part of chunks) parts.push(part);
    return Buffer.concat(parts);
  };

  test('all who want a file have the bytes of the one who makes it', async () => {
    const make = vi.fn(async () => madeFile());
    work(make);
    const files = await Promise.all([order(one, 'a'), order(other, 'a')]);
    for (const file of files) {
      expect(file).toMatchObject({ length: whole.length, etag: '"a"' });
      expect(await bytesOf(file)).toEqual(whole);
    }
    expect(make).toHaveBeenCalledExactlyOnceWith('work of a', expect.anything());
  });

  test('a file that is too large to be passed on is made by whoever wants it', async () => {
    const read = vi.fn();
    work(async (_, signal) => {
      signal.addEventListener('abort', read);
      return { ...madeFile(), length: 16 * 2 ** 20 + 1 };
    });
    await expect(order(one, 'large')).rejects.toThrow(JobsUnavailable);
    // What was opened for it is let go.
    await vi.waitFor(() => expect(read).toHaveBeenCalledOnce());
  });

  test('what failed there has failed for whoever asked, by its name', async () => {
    work(async () => {
      throw new JobFailed('media_gone');
    });
    await expect(order(one, 'gone')).rejects.toMatchObject({ name: 'JobFailed', key: 'media_gone' });
  });

  test('jobs that nothing can be made of, and one that throws, keep nobody else waiting', async () => {
    const told: unknown[] = [];
    const jobs = jobsOn(place.far, (error) => told.push(error));
    work(async (text) => {
      if (text === 'work of bad') throw new TypeError('cannot read a property of undefined');
      return madeFile();
    }, jobs);
    const { prefix } = createJobNames(place.near);
    const queue = new Queue(queueName, { connection: place.near.client, prefix, skipVersionCheck: true });
    for (const data of [null, 'text', { key: 'UPPER', work: 'a' }, { key: 'a' }])
      await queue.add('convert', data);
    await vi.waitFor(async () => expect(await jobs.counts()).toMatchObject({ waiting: 0, active: 0 }));
    await expect(order(jobs, 'bad')).rejects.toMatchObject({ name: 'JobFailed', key: 'internal' });
    expect(await bytesOf(await order(one, 'good'))).toEqual(whole);
    expect(told).toEqual([expect.any(TypeError)]);
    await queue.close();
    await jobs.close();
  });

  test('what the server refuses is made by whoever wants it, and told to the operator', async () => {
    const refused: unknown[] = [];
    const jobs = jobsOn(place.near, (error) => refused.push(error));
    // A value of another kind is refused as everything is by a server that is full or only read from.
    await place.near.call((client) => client.set(place.near.name('job', 'wants', 'refused'), ''));
    await expect(order(jobs, 'refused')).rejects.toThrow(JobsUnavailable);
    expect(refused).toEqual([expect.objectContaining({ name: 'ReplyError' })]);
    await jobs.close();
  });

  test('what the server does not take from one who makes it is made by whoever wants it', async () => {
    const refused: unknown[] = [];
    const jobs = jobsOn(place.far, (error) => refused.push(error));
    const key = 'not-taken';
    const { near } = place;
    await near.call((client) =>
      client.hset(near.name('job', 'file', key), { length: whole.length, etag: '"a"', available: 0 }),
    );
    await near.call((client) => client.hset(near.name('job', 'bytes', key), 'no', 'bytes'));
    work(async () => madeFile(), jobs);
    await expect(order(one, key).then(bytesOf)).rejects.toThrow(JobsUnavailable);
    expect(refused).toContainEqual(expect.objectContaining({ name: 'ReplyError' }));
    await jobs.close();
  });

  test('what one gives back because it stops, another one makes', async () => {
    const stopping = work(async () => {
      throw new JobFailed('stopping');
    });
    const wanted = order(one, 'back');
    await vi.waitFor(async () => expect((await one.counts())?.places).toBe(1), 4000);
    await stopping.close();
    work(async () => madeFile(), one);
    expect(await bytesOf(await wanted)).toEqual(whole);
  });

  test('one that stops while the server is away leaves its job to others', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const worker = other.work({
      atOnce: 1,
      make: (_, signal) => {
        begin();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    const wanted = order(one, 'left');
    await begun;
    place.line.lose();
    await vi.waitFor(() => expect(place.far.isAway).toBe(true), 4000);
    await worker.close();
    work(async () => madeFile(), one);
    expect(await bytesOf(await wanted)).toEqual(whole);
  });

  test('beyond those that may wait the queue is full, and says when to come again', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    work(async () => {
      await held;
      return madeFile();
    });
    const running = order(one, 'running');
    await vi.waitFor(async () => expect(await one.counts()).toMatchObject({ active: 1 }), 4000);
    const waiting = order(other, 'waiting');
    await vi.waitFor(async () => expect(await one.counts()).toMatchObject({ waiting: 1 }), 4000);
    await expect(order(one, 'refused')).rejects.toMatchObject({ key: 'queue_full', retryAfterS: 2 });
    release();
    for (const file of await Promise.all([running, waiting])) expect(await bytesOf(file)).toEqual(whole);
  });
});
