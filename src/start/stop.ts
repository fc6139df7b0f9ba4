import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Downloader } from './downloader.ts';
import { type UnusedConnections, watchConnections } from './unused-connections.ts';

/** How long running downloads may go on after the instance was told to stop. */
const graceMs = 30_000;

export interface Stoppable {
  readonly app: FastifyInstance;
  readonly downloader: Downloader;
  /** Ends what answers were made from; called when there are none any more. */
  readonly closeStores: () => Promise<void>;
  readonly logger: Logger;
  readonly stopping: AbortController;
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
    await closeStores();
    logger.info('stopped');
    return 0;
  } catch (error) {
    logger.error({ err: error }, 'stopped badly');
    return 1;
  } finally {
    clearTimeout(cutOff);
  }
}

/** Stops on SIGTERM and SIGINT; a second signal ends the process at once. */
export function stopOnSignals(parts: Stoppable): void {
  const connections = watchConnections(parts.app.server);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (parts.stopping.signal.aborted) process.exit(1);
      void stop(parts, connections).then((code) => process.exit(code));
    });
}
