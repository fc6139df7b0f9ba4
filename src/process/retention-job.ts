import type { Logger } from 'pino';

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
