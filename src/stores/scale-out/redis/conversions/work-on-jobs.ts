import { randomUUID } from 'node:crypto';
import { ReplyError } from 'ioredis';
import {
  heavyKeys,
  JobFailed,
  type JobWorker,
  type JobWorkerOptions,
} from '../../../contracts/conversion-jobs.ts';
import { type RedisConnection, RedisUnavailable } from '../connection.ts';
import { createJobLeases, type HeldJob, type JobOutcome, LeaseLost, Unwanted } from './held-job.ts';
import type { JobKeys } from './job-keys.ts';
import { aliveScript } from './job-scripts.ts';
import { convertLocally } from './order-jobs.ts';
import { createWakeup } from './wakeup.ts';

/** A block is passed on when it has this many bytes, or the last one went this long ago, in ms. */
const blockBytes = 64 * 1024;
const blockMs = 100;

/** Joins small pieces into blocks: each costs a call here, and two of each instance that waits for it. */
async function* inBlocks(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    size += chunk.length;
    if (size < blockBytes && performance.now() - lastMs < blockMs) continue;
    yield Buffer.concat(pieces);
    [pieces, size, lastMs] = [[], 0, performance.now()];
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** A worker says this often that it is alive, and looks for jobs of which it did not hear, in ms. */
const lookMs = 1000;
/** The server does not pass longer files on: the ordering instance makes them. Seventeen minutes of sound. */
const maxPassedBytes = 16 * 2 ** 20;
/** The limit for heavy jobs, of which there are few at a time and which few instances can make. */
const maxPassedHeavyBytes = 64 * 2 ** 20;
/** Shortest interval between reports of a job's progress, in ms. */
const madeMs = 250;
/** The failure of a worker that stops. */
const stopping = 'stopping';

export interface WorkingOptions extends JobWorkerOptions {
  readonly redis: RedisConnection;
  readonly keys: JobKeys;
}

/** Takes jobs from the queue and makes their files: see `ConversionJobs.work`. */
export function workOnJobs({ redis, keys, atOnce, heavyAtOnce = 0, make }: WorkingOptions): JobWorker {
  const alive = redis.script(aliveScript);
  const leases = createJobLeases({ redis, keys });
  const self = randomUUID();
  const places = Array.from({ length: atOnce }, (_, place) => `${self} ${place}`);
  const running = new Set<Promise<void>>();
  let heavy = 0;
  const closing = new AbortController();
  const wakeup = createWakeup(closing.signal);

  async function run(job: HeldJob): Promise<void> {
    try {
      await job.finish(await outcomeOf(job, make, redis));
    } catch (error) {
      // The lease runs out, and another worker takes the job.
      redis.report(error);
    }
  }

  async function takeJobs(): Promise<void> {
    while (running.size < atOnce && !closing.signal.aborted) {
      const job = await leases.take(`${self} ${randomUUID()}`, heavy < heavyAtOnce);
      if (job === null) return;
      const weight = job.key.startsWith(heavyKeys) ? 1 : 0;
      heavy += weight;
      const ended = run(job).finally(() => {
        heavy -= weight;
        running.delete(ended);
        wakeup.signal();
      });
      running.add(ended);
    }
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      await takeJobs().catch(redis.report);
      await wakeup.waitUpTo(lookMs);
    }
  }

  const sayAlive = () => void alive([keys.prefix], [heavyAtOnce, ...places]).catch(redis.report);
  const living = setInterval(sayAlive, lookMs);
  const stopHearing = redis.subscribe(keys.added, wakeup.signal);
  sayAlive();
  const working = work();

  return {
    async close() {
      closing.abort();
      clearInterval(living);
      stopHearing();
      for (const all of [keys.workers, keys.heavyWorkers])
        redis.call((client) => client.zrem(all, ...places)).catch(redis.report);
      await working;
      wakeup.end();
      await Promise.all(running);
    },
  };
}

/** Makes a job's file and passes it on; never rejects. */
async function outcomeOf(
  job: HeldJob,
  make: JobWorkerOptions['make'],
  redis: RedisConnection,
): Promise<JobOutcome> {
  const stop = new AbortController();
  const letGo = job.hold((reason) => stop.abort(reason));
  try {
    await passOn(job, await make(job.work, stop.signal, progressReporter(job, stop)), stop.signal);
    return 'done';
  } catch (thrown) {
    const error = stop.signal.aborted ? stop.signal.reason : thrown;
    if (error instanceof Unwanted) return 'unwanted';
    if (error instanceof LeaseLost || error instanceof RedisUnavailable) return 'back';
    if (error instanceof JobFailed) return error.key === stopping ? 'back' : { failure: error.key };
    redis.report(error);
    // A server that is full or read-only is no failure of the file.
    return { failure: error instanceof ReplyError ? convertLocally : 'internal' };
  } finally {
    letGo();
    // Closes everything that was opened for the job and not read.
    stop.abort(new Unwanted());
  }
}

/** Tells now and then how far a job is made. */
function progressReporter(job: HeldJob, stop: AbortController): (fraction: number) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (fraction) => {
    const now = performance.now();
    if (now - lastMs < madeMs || stop.signal.aborted) return;
    lastMs = now;
    job.made(fraction).catch((reason: unknown) => stop.abort(reason));
  };
}

async function passOn(
  job: HeldJob,
  { length, etag, chunks }: Awaited<ReturnType<JobWorkerOptions['make']>>,
  signal: AbortSignal,
): Promise<void> {
  const most = job.key.startsWith(heavyKeys) ? maxPassedHeavyBytes : maxPassedBytes;
  if (length > most) throw new JobFailed(convertLocally);
  let position = 0;
  await job.pass(position, Buffer.alloc(0), { length, etag });
  for await (const block of inBlocks(chunks)) {
    signal.throwIfAborted();
    await job.pass(position, block, { length, etag });
    position += block.length;
  }
}
