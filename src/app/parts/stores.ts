import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { ImportRefused } from '../../content/files/problems.ts';
import type { SiteNames } from '../../content/import/folder-reader.ts';
import type { Environment } from '../../process/environment.ts';
import { reservedSlugs } from '../../server/instance/reserved-slugs.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { Database } from '../../stores/contracts/database.ts';
import { type PictureFiles, PicturesUnavailable } from '../../stores/contracts/picture-files.ts';
import { countHere } from '../../stores/embedded/rate-counters.ts';
import { openSiteDatabase } from '../../stores/open/database.ts';
import { openPictureFiles } from '../../stores/open/file-stores.ts';
import { openObjectStore } from '../../stores/open/object-store.ts';
import { openSharedRedis } from '../../stores/open/redis.ts';
import { reportReachability, watchDatabase } from './reachability.ts';

/** The articles, authors and categories that come with the product. */
const folder = 'content';

/** Fills an empty database with the articles that come with the product. A later start never brings back deleted ones. */
async function importStarterContent(
  database: Database,
  names: SiteNames,
  pictures: PictureFiles,
  logger: Logger,
): Promise<void> {
  const author = await database.query.selectFrom('authors').select('id').limit(1).executeTakeFirst();
  if (author !== undefined) return;
  // Needed once in the life of a database: what reads Markdown takes 20 MB.
  const { importContent } = await import('../../content/import/import-content.ts');
  try {
    const report = await importContent(database, {
      folder,
      parts: ['categories', 'authors', 'articles'],
      names,
      dryRun: false,
      // They come with the product, and its tests make every one of them: a first start need not.
      tryTexts: false,
      now: Date.now(),
      pictures,
      onProgress: () => {},
    });
    logger.info(report, 'starter articles imported');
  } catch (error) {
    // The site works without articles: a failure here must not prevent the start.
    if (error instanceof ImportRefused)
      logger.error({ problems: error.problems }, 'the starter articles are invalid');
    else if (error instanceof PicturesUnavailable)
      logger.error({ err: error }, 'the starter articles are imported at the next start');
    else throw error;
  }
}

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
