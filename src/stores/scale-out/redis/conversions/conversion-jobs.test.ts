import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ConversionJobs,
  heavyKeys,
  JobFailed,
  JobsUnavailable,
  type JobWorker,
  type JobWorkerOptions,
} from '../../../contracts/conversion-jobs.ts';
import { hasRedis } from '../../../contracts/testing/services/redis-places.ts';
import type { RedisConnection } from '../connection.ts';
import { type NearAndFar, openNearAndFar } from '../testing/test-redis.ts';
import { createRedisConversionJobs } from './conversion-jobs.ts';
import { createJobLeases, LeaseLost } from './held-job.ts';
import { createJobKeys } from './job-keys.ts';

/** Workers look for jobs once a second. */
const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, 15_000);

const jobsOn = (redis: RedisConnection) => createRedisConversionJobs(redis, 1);

/** The same connection, which tells of errors. */
const telling = (redis: RedisConnection, report: (error: unknown) => void): RedisConnection =>
  Object.assign(Object.create(redis), { report });

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
    await place.close();
  });

  /** Starts a worker that takes jobs. */
  const startWorker = (make: JobWorkerOptions['make'], jobs = other) => {
    const worker = jobs.startWorker({ atOnce: 1, make });
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

  test('all who want a file receive the bytes of the worker that makes it', async () => {
    const make = vi.fn(async () => madeFile());
    startWorker(make);
    const files = await Promise.all([order(one, 'a'), order(other, 'a')]);
    for (const file of files) {
      expect(file).toMatchObject({ length: whole.length, etag: '"a"' });
      expect(await bytesOf(file)).toEqual(whole);
    }
    expect(make).toHaveBeenCalledExactlyOnceWith('work of a', expect.anything(), expect.anything());
  });

  test('a caller makes a file itself that is too large to be passed on', async () => {
    const read = vi.fn();
    startWorker(async (_, signal) => {
      signal.addEventListener('abort', read);
      return { ...madeFile(), length: 16 * 2 ** 20 + 1 };
    });
    await expect(order(one, 'large')).rejects.toThrow(JobsUnavailable);
    // Everything that was opened for it is closed.
    await until(() => expect(read).toHaveBeenCalledOnce());
  });

  test('a failure of the worker reaches the caller, by its name', async () => {
    startWorker(async () => {
      throw new JobFailed('media_gone');
    });
    await expect(order(one, 'gone')).rejects.toMatchObject({ name: 'JobFailed', key: 'media_gone' });
  });

  test('jobs that are unwanted, impossible or throw keep nobody else waiting', async () => {
    const reported: unknown[] = [];
    const jobs = jobsOn(telling(place.far, (error) => reported.push(error)));
    startWorker(async (text) => {
      if (text === 'work of bad' || text === '') throw new TypeError('cannot read a property of undefined');
      return madeFile();
    }, jobs);
    const keys = createJobKeys(place.near);
    // In one step: a worker that polls in between would drop a job without its orders.
    await place.near.call((client) =>
      client
        .multi()
        .zadd(keys.waiting, 1, 'nobody wants it', 2, 'no work')
        .zadd(keys.wants('no work'), '+inf', `${randomUUID()} somebody`)
        .exec(),
    );
    await until(async () => expect(await jobs.counts()).toMatchObject({ waiting: 0, active: 0 }));
    await expect(order(jobs, 'bad')).rejects.toMatchObject({ name: 'JobFailed', key: 'internal' });
    expect(await bytesOf(await order(one, 'good'))).toEqual(whole);
    expect(reported).toEqual([expect.any(TypeError), expect.any(TypeError)]);
  });

  test('a caller makes the file itself when the server refuses it, and the log tells the operator', async () => {
    const refused: unknown[] = [];
    const jobs = jobsOn(telling(place.near, (error) => refused.push(error)));
    // A value of another type is refused, as a full or read-only server refuses everything.
    await place.near.call((client) => client.set(createJobKeys(place.near).wants('refused'), ''));
    await expect(order(jobs, 'refused')).rejects.toThrow(JobsUnavailable);
    expect(refused).toEqual([expect.objectContaining({ name: 'ReplyError' })]);
  });

  test('a caller makes the file itself when the server accepts nothing from its worker', async () => {
    const refused: unknown[] = [];
    const jobs = jobsOn(telling(place.far, (error) => refused.push(error)));
    const key = 'not-taken';
    const keys = createJobKeys(place.near);
    const file = { length: whole.length, etag: '"a"', available: 0 };
    await place.near.call((client) => client.hset(keys.job(key), file));
    await place.near.call((client) => client.hset(keys.bytes(key), 'no', 'bytes'));
    startWorker(async () => madeFile(), jobs);
    await expect(order(one, key).then(bytesOf)).rejects.toThrow(JobsUnavailable);
    expect(refused).toContainEqual(expect.objectContaining({ name: 'ReplyError' }));
  });

  test('another worker makes what a stopping one gives back', async () => {
    const stopping = startWorker(async () => {
      throw new JobFailed('stopping');
    });
    const wanted = order(one, 'back');
    await until(async () => expect((await one.counts())?.places).toBe(1));
    await stopping.close();
    startWorker(async () => madeFile(), one);
    expect(await bytesOf(await wanted)).toEqual(whole);
  });

  test('a worker that stops while the server is away leaves its job to others', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const worker = other.startWorker({
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
    await until(() => expect(place.far.isAway).toBe(true));
    await worker.close();
    startWorker(async () => madeFile(), one);
    expect(await bytesOf(await wanted)).toEqual(whole);
  });

  /**
   * Gives the job of a key to a worker that died long ago. In one step: otherwise the lease would be renewed in
   * between.
   */
  const letWorkerDie = (key: string) =>
    place.near.call((client) => {
      const keys = createJobKeys(place.near);
      return client.multi().hset(keys.job(key), 'worker', 'a dead one').zadd(keys.active, 1, key).exec();
    });
  /** A worker that begins every job, and does nothing by itself. */
  const workByHand = (atOnce = 2) => {
    const begun: string[] = [];
    const ends = new Map<string, PromiseWithResolvers<ReturnType<typeof madeFile>>>();
    const worker = other.startWorker({
      atOnce,
      make(text, signal) {
        const end = Promise.withResolvers<ReturnType<typeof madeFile>>();
        ends.set(text, end);
        begun.push(text.replace('work of ', ''));
        signal.addEventListener('abort', () => end.reject(signal.reason));
        return end.promise;
      },
    });
    workers.push(worker);
    return { begun, end: (key: string) => ends.get(`work of ${key}`)?.resolve(madeFile()) };
  };

  test('workers for heavy jobs take one at a time, and waiting callers learn its progress', async () => {
    const jobs = createRedisConversionJobs(place.near, 100);
    expect(await jobs.canMakeHeavy()).toBe(false);
    const [first, second] = [`${heavyKeys}1`, `${heavyKeys}2`];
    const light = vi.fn(async () => madeFile());
    startWorker(light, jobs);
    const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const begun: string[] = [];
    const reported: unknown[] = [];
    const ordered = [first, second].map((key) =>
      jobs
        .order({ key, work: key, visitor: key }, forever, (ahead, made) => {
          if (key === first) reported.push([ahead, made]);
        })
        .then(bytesOf),
    );
    await order(jobs, 'light').then(bytesOf);
    workers.push(
      other.startWorker({
        atOnce: 2,
        heavyAtOnce: 1,
        async make(key, _signal, made) {
          made(0.25);
          await ends[begun.push(key) - 1]?.promise;
          return madeFile();
        },
      }),
    );
    await until(() => expect(reported).toContainEqual([null, 0.25]));
    expect(await jobs.canMakeHeavy()).toBe(true);
    expect(begun).toHaveLength(1);
    for (const end of ends) end.resolve();
    for (const bytes of await Promise.all(ordered)) expect(bytes).toEqual(whole);
    expect(begun.toSorted()).toEqual([first, second]);
    expect(light).toHaveBeenCalledOnce();
  });

  test('visitors take turns, and each has one job at a time', async () => {
    const jobs = createRedisConversionJobs(place.near, 100);
    const places = new Map<string, number | null>();
    const wanted: Promise<Buffer>[] = [];
    const wants = async (key: string, visitor: string) => {
      const reported = (ahead: number | null) => void places.set(key, ahead);
      wanted.push(jobs.order({ key, work: `work of ${key}`, visitor }, forever, reported).then(bytesOf));
      await until(() => expect(places.get(key)).not.toBeUndefined());
    };
    for (const key of ['a1', 'a2', 'a3']) await wants(key, 'a');
    await wants('b1', 'b');
    await wants('c1', 'c');
    expect([...places.values()]).toEqual([0, 1, 2, 3, 4]);
    const { begun, end } = workByHand();
    await until(() => expect(begun).toEqual(['a1', 'b1']));
    end('b1');
    await until(() => expect(begun).toEqual(['a1', 'b1', 'c1']));
    end('c1');
    await wants('d1', 'd');
    await until(() => expect(begun).toEqual(['a1', 'b1', 'c1', 'd1']));
    end('d1');
    // Another visitor wants a file that waits for the first visitor's other job: it begins on the second visitor's
    // account.
    await wants('a2', 'e');
    await until(() => expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2']));
    end('a1');
    end('a2');
    await until(() => expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'a3']));
    end('a3');
    for (const bytes of await Promise.all(wanted)) expect(bytes).toEqual(whole);
  });

  test('visitors take turns with a single place, too', async () => {
    const jobs = createRedisConversionJobs(place.near, 100);
    const wanted = [];
    for (const [at, key] of ['a1', 'a2', 'a3', 'b1', 'b2'].entries()) {
      wanted.push(order(jobs, key, key.slice(0, 1)));
      await until(async () => expect(await jobs.counts()).toMatchObject({ waiting: at + 1 }));
    }
    const { begun, end } = workByHand(1);
    const expected = ['a1', 'b1', 'a2', 'b2', 'a3'];
    for (const [at, key] of expected.entries()) {
      await until(() => expect(begun).toEqual(expected.slice(0, at + 1)));
      end(key);
    }
    for (const file of await Promise.all(wanted)) expect(await bytesOf(file)).toEqual(whole);
  });

  test('a visitor has at most ten waiting jobs, which keep nobody else out', async () => {
    const jobs = createRedisConversionJobs(place.near, 100);
    const stop = new AbortController();
    const wants = (key: string, visitor: string) =>
      jobs.order({ key, work: key, visitor }, stop.signal, () => {}).catch((error: unknown) => error);
    const waiting = Array.from({ length: 10 }, (_, at) => wants(`a${at}`, 'a'));
    await until(async () => expect(await jobs.counts()).toMatchObject({ waiting: 10 }));
    expect(await wants('one-more', 'a')).toMatchObject({ key: 'queue_full' });
    waiting.push(wants('b', 'b'));
    await until(async () => expect(await jobs.counts()).toMatchObject({ waiting: 11 }));
    stop.abort(new Error('gone'));
    expect(await Promise.all(waiting)).toEqual(Array(11).fill(stop.signal.reason));
    // Nothing of them remains.
    await until(async () => {
      expect(await place.near.call((client) => client.keys(place.near.name('*')))).toEqual([]);
    });
  });

  test('a worker without a sign of life loses its job to another, and the third time the file is parked', async () => {
    const first = workByHand(1);
    const wanted = order(one, 'deadly').catch((error: unknown) => error);
    for (let deaths = 0; deaths < 3; deaths += 1) {
      await until(() => expect(first.begun.length).toBe(deaths + 1));
      await letWorkerDie('deadly');
      // Any worker that polls finds it. This one stands for a live one.
      const helper = one.startWorker({ atOnce: 1, make: () => Promise.reject(new JobFailed('stopping')) });
      if (deaths < 2)
        await until(async () => {
          const job = createJobKeys(place.near).job('deadly');
          expect(await place.near.call((client) => client.hget(job, 'deaths'))).toBe(String(deaths + 1));
        });
      else expect(await wanted).toMatchObject({ name: 'JobFailed', key: 'conversion_parked' });
      await helper.close();
    }
    await expect(order(other, 'deadly')).rejects.toMatchObject({ key: 'conversion_parked' });
  });

  test('a worker that has lost its job writes nothing more to its file, and does not end it', async () => {
    const wanted = order(one, 'lost');
    const keys = createJobKeys(place.near);
    const leases = createJobLeases({ redis: place.near, keys });
    const take = (worker: string) =>
      until(async () => (await leases.take(worker, false)) ?? expect.unreachable());
    const file = { length: whole.length, etag: '"a"' };
    const slow = await take('slow');
    await slow.pass(0, whole.subarray(0, 7), file);
    await letWorkerDie('lost');
    const next = await take('next');
    await expect(slow.pass(7, Buffer.from('no'), { ...file, etag: '"b"' })).rejects.toThrow(LeaseLost);
    await slow.finish('done');
    expect(await one.counts()).toMatchObject({ waiting: 0, active: 1 });
    await next.pass(0, whole, file);
    await next.finish('done');
    expect(await bytesOf(await wanted)).toEqual(whole);
    expect(await one.counts()).toMatchObject({ waiting: 0, active: 0 });
  });

  test('a worker stops when its last order leaves, and its partial file is removed', async () => {
    const { begun } = workByHand(1);
    const stop = new AbortController();
    const wanted = one.order({ key: 'left', work: 'work of left', visitor: 'a' }, stop.signal, () => {});
    await until(() => expect(begun).toEqual(['left']));
    stop.abort(new Error('gone'));
    await expect(wanted).rejects.toThrow('gone');
    await until(async () => expect(await one.counts()).toMatchObject({ waiting: 0, active: 0 }));
    const keys = await place.near.call((client) => client.keys(place.near.name('*')));
    expect(keys).toEqual([createJobKeys(place.near).workers]);
  });

  test('the queue is full beyond the allowed jobs, and says when to come again', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    startWorker(async () => {
      await held;
      return madeFile();
    });
    const running = order(one, 'running');
    await until(async () => expect(await one.counts()).toMatchObject({ active: 1 }));
    const waiting = order(other, 'waiting');
    await until(async () => expect(await one.counts()).toMatchObject({ waiting: 1 }));
    await expect(order(one, 'refused')).rejects.toMatchObject({ key: 'queue_full', retryAfterS: 2 });
    release();
    for (const file of await Promise.all([running, waiting])) expect(await bytesOf(file)).toEqual(whole);
  });
});
