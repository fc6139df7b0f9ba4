/** Starts the page cache as a separate program, for several instances of the site. */
import type { AddressInfo } from 'node:net';
import { readEnvironment } from '../../process/environment.ts';
import { createLog } from '../../process/logger.ts';
import { mostConnections } from '../../server/http/connections.ts';
import { openSharedRedis } from '../../stores/open/redis.ts';
import { pageCacheVariables } from './feature.ts';
import { createPageCacheProgram } from './program.ts';

async function start(): Promise<void> {
  const environment = readEnvironment(process.env, [pageCacheVariables]);
  const own = pageCacheVariables.read(environment);
  const { logger } = createLog(environment);
  const redis = await openSharedRedis(environment, logger);
  const server = createPageCacheProgram({
    maxBytes: own.PAGE_CACHE_MB * 1024 * 1024,
    ...(redis !== null && {
      openCache: (space, maxBytes) => redis.openCache(`cache-${space}`, maxBytes),
    }),
    names: own.PAGE_CACHE_URL === undefined ? [] : [new URL(own.PAGE_CACHE_URL).hostname],
    mostConnections: environment.MAX_CONNECTIONS ?? mostConnections(),
  });
  server.on('error', (error) => {
    logger.fatal({ err: error }, 'cannot listen');
    process.exitCode = 1;
  });
  server.listen(own.PAGE_CACHE_PORT, environment.HOST, () => {
    const { address, port } = server.address() as AddressInfo;
    logger.info({ origin: `http://${address.includes(':') ? `[${address}]` : address}:${port}` }, 'ready');
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      logger.info('stopping');
      server.close(() => {
        void redis?.close();
        logger.info('stopped');
      });
      server.closeIdleConnections();
    });
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
