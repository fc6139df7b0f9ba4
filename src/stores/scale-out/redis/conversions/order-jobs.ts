import { randomUUID } from 'node:crypto';
import { ReplyError } from 'ioredis';
import { z } from 'zod';
import {
  type ConversionJobs,
  JobFailed,
  type JobOrder,
  JobsUnavailable,
  type MadeFile,
} from '../../../contracts/conversion-jobs.ts';
import { type RedisConnection, RedisUnavailable } from '../connection.ts';
import type { JobKeys } from './job-keys.ts';
import { enterScript, leaveScript, lookScript, parked } from './job-scripts.ts';
import { createWakeup } from './wakeup.ts';

/** A failure of the transfer and not of the job: the ordering instance makes the file itself. */
export const convertLocally = 'make-it-yourself';

/** Without messages an order polls this often, which also renews it. */
const lookMs = 1000;
/** An order does not wait for longer without a worker, in ms. */
const noWorkerMs = 4000;
/** Bytes that are read at once. */
const readBytes = 256 * 1024;
/** A vanished job is ordered again this often: the server was emptied, or the job had no orders left. */
const maxOrders = 3;
/** Assumed duration of one conversion, in seconds, and the longest suggested wait. */
const secondsEach = 2;
const maxRetryAfterS = 300;
/** Jobs of one visitor that may wait. */
const maxWaitingOfVisitor = 10;

const enterReply = z.tuple([z.enum(['parked', 'full', 'entered']), z.number()]);

const lookReply = z
  .tuple([
    z.number(),
    z.number(),
    z.string(),
    z.string(),
    z.number(),
    z.number(),
    z.number(),
    z.coerce.number(),
  ])
  .transform(([length, available, etag, failure, ahead, places, exists, made]) => ({
    /** Null while it is not known. */
    length: length < 0 ? null : length,
    available,
    etag,
    failure,
    /** Jobs ahead; null when it does not wait. */
    ahead: ahead < 0 ? null : ahead,
    places,
    exists: exists === 1,
    made,
  }));

type JobLook = z.output<typeof lookReply>;

export interface OrderingOptions {
  readonly redis: RedisConnection;
  readonly keys: JobKeys;
  /** Jobs that may wait. */
  readonly maxWaiting: number;
}

/** The job existed and has vanished. */
class JobLost extends Error {}

/** Converts the error of an unreachable, full or read-only server for the waiting caller. */
function asOrderError(error: unknown, redis: RedisConnection): unknown {
  if (error instanceof RedisUnavailable || error instanceof JobLost)
    return new JobsUnavailable(error.message, { cause: error });
  if (!(error instanceof ReplyError)) return error;
  redis.report(error);
  return new JobsUnavailable('Redis refuses the call', { cause: error });
}

/** Orders files: see `ConversionJobs.order`. */
export function createOrdering({ redis, keys, maxWaiting }: OrderingOptions): ConversionJobs['order'] {
  const calls = {
    enter: redis.script(enterScript),
    look: redis.script(lookScript),
    leave: redis.script(leaveScript),
  };

  return async (order, signal, waits) => {
    const waiter = new JobWaiter({ redis, keys, maxWaiting, calls, order, signal });
    try {
      const { length, etag } = await waiter.whenOpened(waits);
      return { length, etag, chunks: chunksOf(waiter, { length, etag }, redis) };
    } catch (error) {
      waiter.leave();
      signal.throwIfAborted();
      throw asOrderError(error, redis);
    }
  };
}

/** An order whose chunks are not read expires on the server after three seconds. */
async function* chunksOf(
  waiter: JobWaiter,
  { length, etag }: Pick<MadeFile, 'length' | 'etag'>,
  redis: RedisConnection,
): AsyncGenerator<Uint8Array, void, void> {
  const news = waiter.listen();
  try {
    for (let position = 0; position < length; ) {
      const { available, etag: present } = await waiter.look();
      if (present !== etag) throw new JobsUnavailable('another worker makes other bytes');
      if (position >= available) await news.next();
      while (position < available) {
        const bytes = await waiter.read(position, Math.min(available, position + readBytes));
        if (bytes.length === 0) throw new JobsUnavailable('the bytes are gone');
        position += bytes.length;
        yield bytes;
      }
    }
  } catch (error) {
    throw asOrderError(error, redis);
  } finally {
    news.stop();
    waiter.leave();
  }
}

type Waits = Parameters<ConversionJobs['order']>[2];

interface JobWaiterOptions extends Pick<OrderingOptions, 'redis' | 'keys' | 'maxWaiting'> {
  readonly calls: Readonly<Record<'enter' | 'look' | 'leave', ReturnType<RedisConnection['script']>>>;
  readonly order: JobOrder;
  readonly signal: AbortSignal;
}

/** One order on the server, until it leaves. */
class JobWaiter {
  readonly #options: JobWaiterOptions;
  readonly #self: string;
  #noWorkerSince: number | null = null;

  constructor(options: JobWaiterOptions) {
    this.#options = options;
    this.#self = `${randomUUID()} ${options.order.visitor}`;
  }

  async #enter(): Promise<void> {
    const { calls, keys, maxWaiting, order } = this.#options;
    const args = [order.key, this.#self, order.visitor, order.work, maxWaiting, maxWaitingOfVisitor];
    const [answer, waiting] = enterReply.parse(await calls.enter([keys.prefix], args));
    if (answer === 'parked') throw new JobFailed(parked);
    if (answer === 'full')
      throw new JobFailed('queue_full', Math.min(maxRetryAfterS, Math.max(1, waiting * secondsEach)));
  }

  /** Renews the order. @throws JobFailed, JobLost, JobsUnavailable, or the signal's reason */
  async look(): Promise<JobLook> {
    const { calls, keys, order, signal } = this.#options;
    signal.throwIfAborted();
    const found = lookReply.parse(await calls.look([keys.prefix], [order.key, this.#self]));
    if (found.length !== null && found.available === found.length) return found;
    if (found.failure === convertLocally) throw new JobsUnavailable('the server does not pass the file on');
    if (found.failure !== '') throw new JobFailed(found.failure);
    if (!found.exists) throw new JobLost('the job is gone');
    if (found.places > 0) this.#noWorkerSince = null;
    else this.#noWorkerSince ??= performance.now();
    if (this.#noWorkerSince !== null && performance.now() - this.#noWorkerSince > noWorkerMs)
      throw new JobsUnavailable('there is no worker');
    return found;
  }

  /** Enters, and waits until the length of the file is known. */
  async whenOpened(waits: Waits): Promise<Pick<MadeFile, 'length' | 'etag'>> {
    for (let orders = 1; ; orders += 1)
      try {
        await this.#enter();
        return await this.#whenKnown(waits);
      } catch (error) {
        if (!(error instanceof JobLost) || orders === maxOrders) throw error;
      }
  }

  async #whenKnown(waits: Waits): Promise<Pick<MadeFile, 'length' | 'etag'>> {
    const news = this.listen();
    try {
      for (;;) {
        const { length, etag, ahead, made } = await this.look();
        waits(length === null ? ahead : null, made);
        if (length !== null) return { length, etag };
        await news.next();
      }
    } finally {
      news.stop();
    }
  }

  /** Hears of news until it is stopped. */
  listen(): { next(): Promise<void>; stop(): void } {
    const { redis, keys, order, signal } = this.#options;
    const wakeup = createWakeup(signal);
    const stopHearing = redis.subscribe(keys.news(order.key), wakeup.signal);
    return {
      next: () => wakeup.waitUpTo(lookMs),
      stop() {
        stopHearing();
        wakeup.end();
      },
    };
  }

  read(start: number, end: number): Promise<Buffer> {
    const { redis, keys, order } = this.#options;
    return redis.call((client) => client.getrangeBuffer(keys.bytes(order.key), start, end - 1));
  }

  /** If the server is unreachable, the order expires. */
  leave(): void {
    const { calls, keys, order } = this.#options;
    calls.leave([keys.prefix], [order.key, this.#self, order.visitor]).catch(() => {});
  }
}
