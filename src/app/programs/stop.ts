import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type UnusedConnections, watchConnections } from '../../server/http/connections.ts';
import type { Downloader } from '../parts/downloader/downloader.ts';

/** How long running downloads may go on after a stop signal. */
const graceMs = 30_000;

/** Time left for writing the last views and closing the database when the downloads used up the grace period. */
const leastCloseMs = 5000;

interface Stoppable {
  readonly app: FastifyInstance;
  readonly downloader: Downloader;
  /** Closes resources of responses; called when no response is left, and awaited no longer than the grace period. */
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
 * Stops in order: accepts no new connections and reports not ready, lets running responses go on for half a minute,
 * then cuts off the rest. Exits with 0, or with 1 when something could not be closed.
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
    logger.error({ err: error }, 'could not stop cleanly');
    return 1;
  } finally {
    clearTimeout(cutOff);
  }
}

/**
 * Signals in quick succession count as one: a terminal or a service manager signals the whole process group, and npm, a
 * member of it, forwards its own signal.
 */
const repeatedSignalMs = 1000;

/**
 * Stops on SIGTERM and SIGINT; a second signal ends the process at once.
 * @param stop gives the exit code, never rejects
 */
export function stopOnSignal(stop: () => Promise<number>): void {
  let requestedAt: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      const now = performance.now();
      if (requestedAt !== null && now - requestedAt < repeatedSignalMs) return;
      if (requestedAt !== null) process.exit(1);
      requestedAt = now;
      void stop().then((code) => process.exit(code));
    });
}

/** Stops the site on signals. */
export function stopOnSignals(parts: Stoppable): void {
  const connections = watchConnections(parts.app.server);
  stopOnSignal(() => stop(parts, connections));
}
