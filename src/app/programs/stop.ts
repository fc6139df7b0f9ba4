import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type UnusedConnections, watchConnections } from '../../process/unused-connections.ts';
import type { Downloader } from '../parts/downloader/downloader.ts';

/** How long running downloads may go on after the instance was told to stop. */
const graceMs = 30_000;

/** What is left for writing the last views and closing the database when the downloads took all of it. */
const leastCloseMs = 5000;

export interface Stoppable {
  readonly app: FastifyInstance;
  readonly downloader: Downloader;
  /** Ends what answers were made from; called when there are none any more, and not waited for longer than the grace. */
  readonly closeStores: () => Promise<void>;
  readonly logger: Logger;
  readonly stopping: AbortController;
}

/** Waits for an end, but not for longer than a time: a database that fell silent must not keep the process. */
async function within(limitMs: number, end: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error('The database or the mail server did not let go.')),
    limitMs,
  );
  try {
    await Promise.race([end, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Stops in order: no new connections and not ready any more, running answers go on for half a minute, then whatever
 * is left is cut off. Ends the process with 0, with 1 when something could not be closed.
 */
async function stop(
  { app, downloader, closeStores, logger, stopping }: Stoppable,
  connections: UnusedConnections,
): Promise<number> {
  if (stopping.signal.aborted) return 0;
  stopping.abort(new Error('The server is stopping.'));
  logger.info('stopping: running downloads may finish');
  const graceEnd = performance.now() + graceMs;
  const grace = new AbortController();
  const cutOff = setTimeout(() => {
    logger.warn('cutting off what still runs');
    grace.abort(new Error('The time to finish is over.'));
    app.server.closeAllConnections();
  }, graceMs);
  try {
    const closed = app.close();
    connections.close();
    await closed;
    await downloader.close(grace.signal);
    await within(Math.max(leastCloseMs, graceEnd - performance.now()), closeStores());
    logger.info('stopped');
    return 0;
  } catch (error) {
    logger.error({ err: error }, 'stopped badly');
    return 1;
  } finally {
    clearTimeout(cutOff);
  }
}

/**
 * Signals that come so close together are one wish: a terminal or a service manager tells the whole group of processes,
 * and npm, which is one of them, passes on what it was told.
 */
const oneWishMs = 1000;

/** Stops on SIGTERM and SIGINT; a second wish ends the process at once. @param stop gives the exit code, never rejects */
export function stopWhenTold(stop: () => Promise<number>): void {
  let wishedAt: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      const now = performance.now();
      if (wishedAt !== null && now - wishedAt < oneWishMs) return;
      if (wishedAt !== null) process.exit(1);
      wishedAt = now;
      void stop().then((code) => process.exit(code));
    });
}

/** The same for the site. */
export function stopOnSignals(parts: Stoppable): void {
  const connections = watchConnections(parts.app.server);
  stopWhenTold(() => stop(parts, connections));
}
