import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { ReplyError } from 'ioredis';
import { z } from 'zod';
import { JobFailed, type JobWorker, type JobWorkerOptions } from '../../../contracts/conversion-jobs.ts';
import { type RedisConnection, RedisUnavailable } from '../connection.ts';
import { type JobNames, queueName } from './job-names.ts';
import { aliveScript, parkMs, passScript, wantedScript } from './job-scripts.ts';
import { makeItYourself, stalledTooOften } from './order-job.ts';

/**
 * A worker that dies holds its job for so long, in ms; then the next look finds it, and one after that has it made
 * elsewhere: seven seconds at worst. A worker whose process stood still for so long has lost its job, which is made twice
 * then, with the same bytes.
 */
const lockMs = 4000;
const renewMs = 1000;
const stalledLookMs = 1500;
/** A job may be found without its worker so often; the next time it is parked. */
const mostStalls = 2;
/** Places say that they live, and jobs ask whether they are wanted, this often. */
const turnMs = 1000;
/** A longer file is not passed on by the server: whoever wants it makes it. Seventeen minutes of sound. */
const mostPassedBytes = 16 * 2 ** 20;
/** Bytes are passed on when there are so many of them, or the last ones went so long ago, in ms. */
const blockBytes = 64 * 1024;
const blockMs = 100;
/** The job goes to somebody else. */
const goesBack = 'stopping';
/** After an error of the line. */
const runAgainMs = 500;
const closeMs = 2000;
/** Whether the server is still there is looked at this often while jobs come to their end. */
const awayLookMs = 250;

const jobData = z.object({ key: z.string().regex(/^[a-z0-9-]{1,200}$/), work: z.string() });

export interface WorkingOptions extends JobWorkerOptions {
  readonly redis: RedisConnection;
  readonly names: JobNames;
  /** Told of what is no failure of a job. */
  readonly onError: (error: unknown) => void;
}

/** Nobody wants it any more. */
class Unwanted extends Error {}

/** Joins what comes in small pieces: each block is a call here, and two of each instance that waits for it. */
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

/** Takes jobs from the queue and makes their files: see `ConversionJobs.work`. */
export function workOnJobs({ redis, names, atOnce, make, onError }: WorkingOptions): JobWorker {
  const pass = redis.script(passScript);
  const wanted = redis.script(wantedScript);
  const alive = redis.script(aliveScript);
  const self = randomUUID();
  const running = new Set<Promise<void>>();
  const places = Array.from({ length: atOnce }, (_, n) => `${self} ${n}`);

  function noted(error: unknown): void {
    if (!(error instanceof RedisUnavailable)) onError(error);
  }

  /** Stops the work when it is of use to nobody. @returns ends the watch */
  function watchWants(key: string, stop: AbortController): () => void {
    const look = () =>
      wanted([names.wants(key)], []).then(
        (count) => {
          if (count === 0) stop.abort(new Unwanted());
        },
        // Those who wait cannot be reached from here, perhaps from elsewhere.
        () => stop.abort(new JobFailed(goesBack)),
      );
    const timer = setInterval(look, turnMs);
    const stopHearing = redis.subscribe(names.news(key), (news) => {
      if (news === 'unwanted') void look();
    });
    return () => {
      clearInterval(timer);
      stopHearing();
    };
  }

  async function passOn(key: string, work: string, stop: AbortController): Promise<void> {
    const { signal } = stop;
    if ((await wanted([names.wants(key)], [])) === 0) return;
    const { length, etag, chunks } = await make(work, signal);
    if (length > mostPassedBytes) throw new JobFailed(makeItYourself);
    const keys = [names.wants(key), names.file(key), names.bytes(key)];
    const send = async (position: number, bytes: Buffer) => {
      const count = await pass(keys, [position, bytes, length, etag, names.news(key)]);
      if (count === 0) stop.abort(new Unwanted());
      signal.throwIfAborted();
    };
    await send(0, Buffer.alloc(0));
    let position = 0;
    for await (const block of inBlocks(chunks)) {
      await send(position, block);
      position += block.length;
    }
  }

  function runCounted(job: Job, token?: string): Promise<void> {
    const ended = run(job, token).finally(() => running.delete(ended));
    running.add(ended);
    return ended;
  }

  async function giveBack(job: Job, token?: string): Promise<void> {
    try {
      await job.moveToWait(token);
    } catch (error) {
      throw new UnrecoverableError(failureKey(error));
    }
  }

  function failureKey(error: unknown): string {
    if (error instanceof JobFailed) return error.key;
    noted(error);
    // A server that is full or only read from is no failure of the file.
    return error instanceof ReplyError ? makeItYourself : 'internal';
  }

  async function run(job: Job, token?: string): Promise<void> {
    const { key, work } = jobData.parse(job.data);
    const stop = new AbortController();
    const stopWatching = watchWants(key, stop);
    try {
      await passOn(key, work, stop);
    } catch (thrown) {
      const error = stop.signal.aborted ? stop.signal.reason : thrown;
      if (error instanceof Unwanted) return;
      if (error instanceof RedisUnavailable || (error instanceof JobFailed && error.key === goesBack)) {
        await giveBack(job, token);
        throw new WaitingError();
      }
      throw new UnrecoverableError(failureKey(error));
    } finally {
      stopWatching();
      // Whatever was opened for it, and not read, is let go.
      stop.abort(new Unwanted());
    }
  }

  /** Tells those who wait, and for a parked one also those who come later. */
  async function tellFailed(job: Job | undefined): Promise<void> {
    const data = jobData.safeParse(job?.data);
    if (!data.success) return;
    const { key } = data.data;
    if (job?.failedReason === stalledTooOften)
      await redis.call((client) => client.set(names.parked(key), '1', 'PX', parkMs));
    await redis.call((client) => client.publish(names.news(key), 'failed'));
  }

  const connection = redis.openPatient();
  const worker = new Worker(queueName, runCounted, {
    connection,
    prefix: names.prefix,
    concurrency: atOnce,
    lockDuration: lockMs,
    lockRenewTime: renewMs,
    stalledInterval: stalledLookMs,
    maxStalledCount: mostStalls,
    drainDelay: 1,
    runRetryDelay: runAgainMs,
    skipVersionCheck: true,
  });
  let lookingAgain: NodeJS.Timeout | undefined;
  worker.on('error', (error) => {
    // BullMQ's look for jobs whose worker died ends for good with the first error of the line.
    lookingAgain ??= setTimeout(() => {
      lookingAgain = undefined;
      worker.startStalledCheckTimer().catch(noted);
    }, runAgainMs).unref();
    // Whether the server answers is told elsewhere; a job that was lost meanwhile is somebody else's by then.
    if (!redis.isAway && !/missing (lock|key)|connection/i.test(error.message)) onError(error);
  });
  worker.on('failed', (job) => void tellFailed(job).catch(noted));
  const living = setInterval(() => alive([names.makers], places).catch(noted), turnMs);
  alive([names.makers], places).catch(noted);

  return {
    async close() {
      clearTimeout(lookingAgain);
      clearInterval(living);
      redis.call((client) => client.zrem(names.makers, ...places)).catch(noted);
      const closed = worker.close();
      // While the server is away a job can be neither passed on nor given back: it is found without its worker there.
      while (running.size > 0 && !redis.isAway)
        await Promise.race([Promise.allSettled(running), pause(awayLookMs, undefined, { ref: false })]);
      // What is still to be said then the server hears within moments, or takes it for a worker that died.
      await Promise.race([closed, pause(closeMs, undefined, { ref: false })]);
      connection.disconnect();
    },
  };
}
