/** Starts the page cache as a program of its own, for several instances of the site. */
import type { AddressInfo } from 'node:net';
import { createPageCacheProgram } from '../server/page-cache/protocol/program.ts';
import { readEnvironment } from './process/environment.ts';
import { createLog } from './process/logger.ts';
import { mostConnections } from './process/most-connections.ts';

function start(): void {
  const environment = readEnvironment(process.env);
  const { logger } = createLog(environment);
  const server = createPageCacheProgram({
    maxBytes: environment.PAGE_CACHE_MB * 1024 * 1024,
    names: environment.PAGE_CACHE_URL === undefined ? [] : [new URL(environment.PAGE_CACHE_URL).hostname],
    mostConnections: environment.MAX_CONNECTIONS ?? mostConnections(),
  });
  server.on('error', (error) => {
    logger.fatal({ err: error }, 'cannot listen');
    process.exitCode = 1;
  });
  server.listen(environment.PAGE_CACHE_PORT, environment.HOST, () => {
    const { address, port } = server.address() as AddressInfo;
    logger.info({ origin: `http://${address.includes(':') ? `[${address}]` : address}:${port}` }, 'ready');
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      logger.info('stopping');
      server.close(() => logger.info('stopped'));
      server.closeIdleConnections();
    });
}

try {
  start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
