import type { Logger } from 'pino';

const hourMs = 3_600_000;

interface Deleting {
  deleteOld(): Promise<unknown>;
  /** Whether the clock can be trusted to say that something is old. */
  readonly isClockSteady: () => boolean;
  readonly logger: Pick<Logger, 'error'>;
  /** An hour when left out. */
  readonly everyMs?: number;
}

/**
 * Deletes expired data, at the start and periodically, but not after the clock was set: a clock that is far ahead would
 * delete everything.
 * @returns a function that ends it
 */
export function startRetentionJob({
  deleteOld,
  isClockSteady,
  logger,
  everyMs = hourMs,
}: Deleting): () => Promise<void> {
  let running = deleteOld();
  const timer = setInterval(() => {
    if (isClockSteady()) running = running.then(deleteOld);
    else logger.error('the clock was changed: expired data is not deleted until the next start');
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
