import type { Logger } from 'pino';

/** Interval for polling the database for other processes' changes, and for writing views. */
const everyMs = 1000;

/** Time after which a run counts as failed and the next one begins: one query without a response must not be the last. */
const limitMs = 10_000;

function inTime(work: Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`took longer than ${limitMs / 1000} s`)), limitMs);
  timer.unref();
  work.then(resolve, reject);
  return promise.finally(() => clearTimeout(timer));
}

/**
 * Runs a task every second, without overlap unless a run takes longer than ten seconds.
 * @param onError called with every failure; the next second tries again
 * @param listen receives a function that starts a run at once, or right after the present one
 * @returns a function that stops it after a last run
 */
export function startPoller(
  task: () => Promise<void>,
  onError: (error: unknown) => void,
  listen: (begin: () => void) => void = () => {},
): () => Promise<void> {
  let running: Promise<void> | null = null;
  let ended = false;
  const run = () => {
    running ??= inTime(task())
      .catch(onError)
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = setInterval(() => void run(), everyMs);
  timer.unref();
  listen(() => {
    // The present run may have looked before there was something to see.
    if (!ended) void Promise.resolve(running).then(run);
  });
  return async () => {
    ended = true;
    clearInterval(timer);
    await running;
    await run();
  };
}

const hourMs = 3_600_000;

/** More than a clock is ever corrected by while it is right. */
const mostApartMs = hourMs;

interface Deleting {
  deleteOld(): Promise<unknown>;
  readonly logger: Pick<Logger, 'error'>;
  /** An hour when left out. */
  readonly everyMs?: number;
}

/**
 * Deletes expired data, at the start and periodically, but not after the clock was set: a clock that is far ahead would
 * delete everything.
 * @returns a function that ends it
 */
export function startRetentionJob({ deleteOld, logger, everyMs = hourMs }: Deleting): () => Promise<void> {
  const apart = () => Date.now() - performance.now();
  const apartAtStart = apart();
  let running = deleteOld();
  const timer = setInterval(() => {
    if (Math.abs(apart() - apartAtStart) <= mostApartMs) running = running.then(deleteOld);
    else logger.error('the clock was changed: expired data is not deleted until the next start');
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
