import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { ReplyError } from 'ioredis';
import {
  JobFailed,
  type JobOrder,
  JobsUnavailable,
  type MadeFile,
} from '../../../contracts/conversion-jobs.ts';
import { type RedisConnection, RedisUnavailable } from '../connection.ts';
import type { JobNames } from './job-names.ts';
import {
  enterAnswer,
  enterScript,
  type JobLook,
  leaveScript,
  lookAnswer,
  lookScript,
} from './job-scripts.ts';
import { createNudge } from './nudge.ts';

/** Failures that are no visitor's: whoever asked makes the file. */
export const makeItYourself = 'make-it-yourself';
/** What BullMQ says of a job of which too many have died. */
export const stalledTooOften = 'job stalled more than allowable limit';

/** While nothing is heard, one looks this often, which is also the sign that the file is still wanted. */
const lookMs = 1000;
/** A visitor's second file is looked for this often. */
const turnMs = 250;
/** After so long without anybody who makes files, in ms, nobody waits for them. */
const lonelyMs = 4000;
/** Bytes that are read at once. */
const readBytes = 256 * 1024;
/** A job that is gone without a word is wanted again so often: the server was emptied, or nobody had wanted it. */
const mostOrders = 3;
/** What is assumed of one conversion, in seconds, and the most that is asked of a visitor. */
const secondsEach = 2;
const maxRetryAfterS = 300;

export interface OrderingOptions {
  readonly redis: RedisConnection;
  readonly names: JobNames;
  /** The queue, once it is there. */
  readonly queue: () => Promise<Queue>;
  /** Jobs that may wait. */
  readonly maxWaiting: number;
  /** Told of what the server refuses. */
  readonly onError: (error: unknown) => void;
}

/** The job was there, and is not any more. */
class JobLost extends Error {}

/** Has files made: see `ConversionJobs.order`. */
export function createOrdering({ redis, names, queue, maxWaiting, onError }: OrderingOptions) {
  const enter = redis.script(enterScript);
  const look = redis.script(lookScript);
  const leave = redis.script(leaveScript);

  /** One who wants a file, until they leave. */
  function createWant({ key, work, visitor }: JobOrder, signal: AbortSignal) {
    const self = randomUUID();
    let id = '';
    let lonelySince: number | null = null;

    async function entered(waits: (ahead: number) => void): Promise<'made' | 'enter'> {
      const keys = [names.wants(key), names.turn(visitor), names.parked(key), names.file(key)];
      for (;;) {
        signal.throwIfAborted();
        const [answer, waiting] = enterAnswer.parse(
          await enter([...keys, names.wait, names.deduplication(key)], [self, key, maxWaiting]),
        );
        if (answer === 'made' || answer === 'enter') return answer;
        if (answer === 'parked') throw new JobFailed('conversion_parked');
        if (answer === 'full')
          throw new JobFailed('queue_full', Math.min(maxRetryAfterS, Math.ceil(waiting * secondsEach)));
        waits(waiting);
        await pause(turnMs, undefined, { signal });
      }
    }

    async function seen(): Promise<JobLook> {
      signal.throwIfAborted();
      const keys = [names.wants(key), names.turn(visitor), names.file(key), names.wait, names.makers];
      const found = lookAnswer.parse(await look([...keys, names.job(id)], [self, key, id]));
      if (found.failed === makeItYourself) throw new JobsUnavailable('the file is too large to be passed on');
      if (found.failed === stalledTooOften) throw new JobFailed('conversion_parked');
      if (found.failed !== '') throw new JobFailed(found.failed);
      if (found.length !== null && found.available === found.length) return found;
      if (!found.exists) throw new JobLost('the job is gone');
      if (found.places > 0) lonelySince = null;
      else lonelySince ??= performance.now();
      if (lonelySince !== null && performance.now() - lonelySince > lonelyMs)
        throw new JobsUnavailable('nobody is there who makes files');
      return found;
    }

    return {
      seen,

      /** Hears of news until it is told to stop. */
      listen() {
        const nudge = createNudge(signal);
        const stopHearing = redis.subscribe(names.news(key), nudge.now);
        return {
          next: () => nudge.within(lookMs),
          stop() {
            stopHearing();
            nudge.end();
          },
        };
      },

      async add(waits: (ahead: number) => void): Promise<void> {
        if ((await entered(waits)) === 'made') return;
        const jobs = await queue();
        const job = await redis.call(() =>
          jobs.add('convert', { key, work }, { deduplication: { id: key } }),
        );
        id = job.id ?? '';
      },

      read: (start: number, end: number) =>
        redis.call((client) => client.getrangeBuffer(names.bytes(key), start, end - 1)),

      async leave(): Promise<void> {
        const isLast = await leave([names.wants(key), names.turn(visitor)], [self, key]);
        if (isLast !== 1) return;
        // Whoever makes it stops; what only waits is not made at all. One that is being made cannot be removed.
        await redis.call((client) => client.publish(names.news(key), 'unwanted'));
        if (id !== '') await (await queue()).remove(id).catch(() => 0);
      },
    };
  }

  type Want = ReturnType<typeof createWant>;

  /** What a broken way to the server, or one that is full or only read from, means to who waits. */
  function told(error: unknown): unknown {
    if (error instanceof RedisUnavailable) return new JobsUnavailable(error.message, { cause: error });
    if (!(error instanceof ReplyError)) return error;
    onError(error);
    return new JobsUnavailable('Redis refuses the call', { cause: error });
  }

  async function length(want: Want, waits: (ahead: number | null) => void): Promise<JobLook> {
    await want.add(waits);
    const { next, stop } = want.listen();
    try {
      for (;;) {
        const found = await want.seen();
        waits(found.length === null ? found.ahead : null);
        if (found.length !== null) return found;
        await next();
      }
    } finally {
      stop();
    }
  }

  async function opened(want: Want, waits: (ahead: number | null) => void): Promise<JobLook> {
    for (let orders = 1; ; orders += 1)
      try {
        return await length(want, waits);
      } catch (error) {
        if (!(error instanceof JobLost)) throw error;
        if (orders === mostOrders) throw new JobsUnavailable(error.message);
      }
  }

  /** Whoever does not read it at all is forgotten by the server after three seconds. */
  async function* chunksOf(want: Want, { length, etag }: { length: number; etag: string }) {
    const { next, stop } = want.listen();
    try {
      for (let position = 0; position < length; ) {
        const { available, etag: present } = await want.seen();
        if (present !== etag) throw new JobsUnavailable('somebody makes other bytes of it');
        if (position >= available) await next();
        while (position < available) {
          const bytes = await want.read(position, Math.min(available, position + readBytes));
          if (bytes.length === 0) throw new JobsUnavailable('its bytes are gone');
          position += bytes.length;
          yield bytes;
        }
      }
    } catch (error) {
      throw error instanceof JobLost ? new JobsUnavailable(error.message) : told(error);
    } finally {
      stop();
      want.leave().catch(() => {});
    }
  }

  return async function order(
    wanted: JobOrder,
    signal: AbortSignal,
    waits: (ahead: number | null) => void,
  ): Promise<MadeFile> {
    const want = createWant(wanted, signal);
    try {
      const { length, etag } = await opened(want, waits);
      const file = { length: length ?? 0, etag };
      return { ...file, chunks: chunksOf(want, file) };
    } catch (error) {
      want.leave().catch(() => {});
      signal.throwIfAborted();
      throw told(error);
    }
  };
}
