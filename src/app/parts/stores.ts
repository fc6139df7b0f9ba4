import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Environment } from '../../process/environment.ts';
import { reservedSlugs } from '../../server/instance/reserved-slugs.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { countHere } from '../../stores/embedded/rate-counters.ts';
import { openSiteDatabase } from '../../stores/open/database.ts';
import { openPictureFiles } from '../../stores/open/file-stores.ts';
import { openObjectStore } from '../../stores/open/object-store.ts';
import { openSharedRedis } from '../../stores/open/redis.ts';
import { reportReachability, watchDatabase } from './reachability.ts';
import { importStarterContent } from './starter-content.ts';

/** Opens the stores that the environment names; a new database gets its first articles. @throws EnvironmentError */
export async function openStores(
  environment: Environment,
  configuration: SiteConfiguration,
  metrics: Registry,
  logger: Logger,
) {
  const objects = await openObjectStore(environment, logger);
  const database = await openSiteDatabase(environment, logger, async (unhurried) =>
    importStarterContent(
      unhurried,
      reservedSlugs(configuration),
      await openPictureFiles(unhurried, objects),
      logger,
    ),
  );
  const watch = watchDatabase(database, metrics);
  const redis = await openSharedRedis(environment, logger);
  reportReachability(metrics, { redis, objects });
  return {
    ...{ database, objects, redis },
    pictures: await openPictureFiles(database, objects),
    makeCounters: redis?.makeCounters ?? countHere,
    /** Why this instance cannot serve; null when it can. */
    obstacle: () => (watch.isAway() ? 'the database does not answer' : null),
    /** Names of unreachable servers that this instance currently works without. */
    absent: () => [...(redis?.isAway ? ['Redis'] : []), ...(objects?.isAway ? [objects.name] : [])],
    async close() {
      await watch.close();
      await database.close();
      await redis?.close();
      await objects?.close();
    },
  };
}

/** The stores of an instance. */
export type Stores = Awaited<ReturnType<typeof openStores>>;
