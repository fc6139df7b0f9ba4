import { join } from 'node:path';
import { Registry } from 'prom-client';
import { cacheLists } from '../content/reading/cached-lists.ts';
import { createContent } from '../content/reading/read-content.ts';
import type { Environment } from '../process/environment.ts';
import { countLostLines, type Log } from '../process/logger.ts';
import { mostConnections } from '../process/most-connections.ts';
import { countHere } from '../stores/embedded/rate-counters.ts';
import { prepareDataFolder } from '../stores/open/data-folder.ts';
import { openSiteDatabase } from '../stores/open/database.ts';
import { openObjectStore } from '../stores/open/object-store.ts';
import { openPictureFiles } from '../stores/open/picture-files.ts';
import { openSharedRedis } from '../stores/open/redis.ts';
import type { ErrorReporter, FeatureServer } from '../web/feature.ts';
import { assembleStoredQuotas } from '../web/http/limits/open-stored-quotas.ts';
import { createRateLimits } from '../web/http/limits/rate-limits.ts';
import { createVisitorHasher, dailyNamingKey, ownNamingKey } from '../web/http/visitor/visitor.ts';
import { watchDisk } from '../web/metrics/disk.ts';
import { watchProcess } from '../web/metrics/process.ts';
import type { BuiltSite, ServerParts } from '../web/server/parts.ts';
import { reservedSlugs } from '../web/server/reserved-slugs.ts';
import { createRunningDownloads, type RunningDownloads } from '../web/server/running-downloads.ts';
import { assembleContentWork } from './parts/content/content.ts';
import { withoutCategories, withRemoteLists } from './parts/content/content-lists.ts';
import { assembleContentRenderer } from './parts/content/content-renderer.ts';
import { importStarterContent } from './parts/content/starter-content.ts';
import { assembleDownloader, type Downloader } from './parts/downloader/downloader.ts';
import { assembleFeatures } from './parts/features.ts';
import { assembleFigures } from './parts/figures.ts';
import { assembleLimits } from './parts/limits.ts';
import { assemblePageCache } from './parts/page-caching.ts';
import { readSiteConfiguration } from './parts/read-site-configuration.ts';
import { secretKey } from './parts/secret-key.ts';
import { assembleWorkers } from './parts/service-workers.ts';
import { warnOfUnnamed } from './parts/unnamed-operator.ts';
import { assembleVisitorSettings } from './parts/visitor-settings.ts';

/** The parts of one instance, and how to end them. */
export interface Assembly {
  readonly parts: ServerParts;
  /** The server parts of the features. */
  readonly features: readonly FeatureServer[];
  readonly reporters: readonly ErrorReporter[];
  readonly downloader: Downloader;
  /** Ends mailing, counting, watching, and the database. */
  closeStores(): Promise<void>;
}

/**
 * Assembles an instance as the environment asks.
 * @param stopping aborts when the instance is to stop
 * @throws EnvironmentError
 */
export async function assemble(
  environment: Environment,
  loadSite: () => Promise<BuiltSite>,
  { logger, logRequest, lostLines, onError }: Log,
  stopping: AbortSignal,
): Promise<Assembly> {
  const configuration = readSiteConfiguration(environment.SITE_CONFIG);
  warnOfUnnamed(configuration, logger);
  const site = await loadSite();
  const metrics = new Registry();
  watchProcess(metrics);
  watchDisk(environment.DATA_DIR, metrics);
  countLostLines(metrics, lostLines);
  prepareDataFolder(environment.DATA_DIR);
  const secret = secretKey(environment.SECRET_KEY, environment.DATA_DIR);
  const origin = environment.SITE_ORIGIN ?? `https://${configuration.domain}`;
  const objects = await openObjectStore(environment, metrics, logger);
  const database = await openSiteDatabase(environment, logger, async (unhurried) =>
    importStarterContent(
      unhurried,
      reservedSlugs(configuration),
      await openPictureFiles(unhurried, objects),
      logger,
    ),
  );
  const pictures = await openPictureFiles(database, objects);
  const redis = await openSharedRedis(environment, metrics, logger);
  const makeCounters = redis?.makeCounters ?? countHere;
  const rateLimits = createRateLimits(makeCounters);
  const figures = await assembleFigures(environment, database, metrics, logger);
  const quotas = assembleStoredQuotas(makeCounters, database, metrics, logger);

  let runningDownloads: RunningDownloads | null = null;
  const features = await assembleFeatures({
    ...{ environment, configuration, origin, site, secret, database, redis },
    ...{ rateLimits, quotas, metrics, logger },
    recheckDownloads: () => runningDownloads?.recheck(),
  });
  onError((error, requestId) => {
    for (const reporter of features.reporters) reporter.report(error, requestId);
    figures?.recorder.add('error', 'log');
  });
  const { isWithheld } = features.parts;
  const downloader = await assembleDownloader({
    ...{ environment, secret, metrics, logger, isWithheld, redis, objects },
    figures: figures?.recorder ?? null,
    folder: join(environment.DATA_DIR, 'expiring-files'),
    searchPath: process.env.PATH ?? '',
  });
  runningDownloads = createRunningDownloads(isWithheld, logger);

  const ownContent = withoutCategories(configuration, createContent(database.query, Date.now, pictures));
  // The variable is this machine's, the configuration the site's.
  const listsFrom = environment.CONTENT_URL ?? features.listsFrom;
  const content = cacheLists(
    listsFrom === undefined
      ? ownContent
      : withoutCategories(configuration, withRemoteLists(ownContent, listsFrom, origin, metrics, logger)),
  );
  const contentWork = await assembleContentWork(database, configuration, redis, logger);
  const contentRenderer = assembleContentRenderer(configuration, origin, content, logger);
  const workers = assembleWorkers(environment, site);
  const parts: ServerParts = {
    ...downloader.parts,
    ...features.parts,
    ...{ configuration, origin, logger, logRequest, metrics, site, stopping },
    ...{ content, contentRenderer, runningDownloads },
    figures: figures?.recorder ?? null,
    metricsElsewhere: environment.METRICS_PORT !== undefined,
    hasServiceWorker: workers.hasServiceWorker,
    policy: {
      trustedTypes: [...new Set([...workers.trustedTypes, ...(features.policy.trustedTypes ?? [])])],
      connect: features.policy.connect ?? [],
    },
    contentRevision: content.revision,
    visitorSettings: assembleVisitorSettings(configuration, features.asksFor, (locale) => ({
      ...workers.settings,
      ...features.settings(locale),
    })),
    featureServices: features.services,
    toolParts: features.toolParts,
    deskPages: features.deskPages,
    views: contentWork.views,
    absent: () => [...(redis?.isAway ? ['Redis'] : []), ...(objects?.isAway ? [objects.name] : [])],
    limits: { ...assembleLimits(environment, rateLimits), ...features.limits },
    mostConnections: environment.MAX_CONNECTIONS ?? mostConnections(),
    trustedProxies: environment.TRUST_PROXY,
    ...assemblePageCache(
      { environment, serving: configuration.serving, site, secret, redis },
      features.parts.pageCache,
    ),
    // Instances that share counters must hash visitors with the same key.
    hashVisitor: createVisitorHasher(redis === null ? ownNamingKey() : dailyNamingKey(secret)),
  };
  contentWork.watch(parts.pageCache, content.clear);
  figures?.tell({ parts, downloader, sharesRedis: redis !== null, objects: objects?.name ?? null });
  return {
    parts,
    features: features.servers,
    reporters: features.reporters,
    downloader,
    async closeStores() {
      // Before the database: what waits is written.
      await figures?.recorder.close();
      await Promise.all([features.close(), contentWork.close(), quotas.close(), contentRenderer.close()]);
      await database.close();
      await redis?.close();
      await objects?.close();
    },
  };
}
