import { join } from 'node:path';
import { Registry } from 'prom-client';
import { cacheLists } from '../content/reading/cached-lists.ts';
import { createContent } from '../content/reading/read-content.ts';
import { assembleApiKeys } from '../features/api-keys/part.ts';
import { backendOrigins, createBackendPictures } from '../features/backends/backend-pictures.ts';
import { originsOf, tierOf } from '../features/backends/configuration.ts';
import { assembleResolveBackends } from '../features/backends/part.ts';
import { assembleMessages } from '../features/messages/part.ts';
import { assembleMonitoring } from '../features/monitoring/part.ts';
import { assemblePromotedPictures } from '../features/promotion/part.ts';
import { assemblePush, subscriptionLimits } from '../features/push/part.ts';
import { openSharePictures } from '../features/sharing/part.ts';
import { assembleStatistics, reportLimit } from '../features/statistics/part.ts';
import { createVisitNames } from '../features/statistics/visit-names.ts';
import { assembleStatus } from '../features/status/part.ts';
import { watchTakedowns } from '../features/takedowns/part.ts';
import { createDrawer } from '../images/drawing/drawer.ts';
import type { Environment } from '../process/environment.ts';
import { countLostLines, type Log } from '../process/logger.ts';
import { mostConnections } from '../process/most-connections.ts';
import { countHere } from '../stores/embedded/rate-counters.ts';
import { prepareDataFolder } from '../stores/open/data-folder.ts';
import { openSiteDatabase } from '../stores/open/database.ts';
import { openObjectStore } from '../stores/open/object-store.ts';
import { openPictureFiles } from '../stores/open/picture-files.ts';
import { openSharedRedis } from '../stores/open/redis.ts';
import type { FeatureServer } from '../web/feature.ts';
import { createDownloadLimit } from '../web/http/download-limit.ts';
import { assembleStoredQuotas } from '../web/http/open-stored-quotas.ts';
import { createRateLimits } from '../web/http/rate-limits.ts';
import { createVisitorHasher, dailyNamingKey, ownNamingKey } from '../web/http/visitor.ts';
import { watchProcess } from '../web/metrics/process.ts';
import type { BuiltSite, ServerParts } from '../web/server/parts.ts';
import { createRunningDownloads } from '../web/server/running-downloads.ts';
import { features } from './features.ts';
import { assembleContentWork } from './parts/content.ts';
import { withoutCategories, withRemoteLists } from './parts/content-lists.ts';
import { assembleContentRenderer } from './parts/content-renderer.ts';
import { assembleDownloader, type Downloader } from './parts/downloader.ts';
import { assemblePageCache } from './parts/page-caching.ts';
import { readSiteConfiguration } from './parts/read-site-configuration.ts';
import { reservedSlugs } from './parts/reserved-slugs.ts';
import { secretKey } from './parts/secret-key.ts';
import { assembleWorkers } from './parts/service-workers.ts';
import { importStarterContent } from './parts/starter-content.ts';
import { assembleVisitorSettings } from './parts/visitor-settings.ts';

const hourS = 3600;
/** So many visits that begin, and visitors of the day, count for one address; its block has eight times as many. */
const countedPerHour = 10;

/** The parts of one instance, and how to end them. */
export interface Assembly {
  readonly parts: ServerParts;
  /** What the features add to the server. */
  readonly features: readonly FeatureServer[];
  readonly downloader: Downloader;
  /** Ends mailing, counting, watching, and the database. */
  closeStores(): Promise<void>;
}

const loadFeatures = (): Promise<FeatureServer[]> =>
  Promise.all(
    features.flatMap(({ server }) =>
      server === undefined ? [] : [server().then((loaded) => loaded.default)],
    ),
  );

/**
 * Picks the parts that the environment asks for and puts them together.
 * @param stopping aborted when the instance is told to stop
 * @throws EnvironmentError
 */
export async function assemble(
  environment: Environment,
  loadSite: () => Promise<BuiltSite>,
  { logger, logRequest, lostLines, onError }: Log,
  stopping: AbortSignal,
): Promise<Assembly> {
  const configuration = readSiteConfiguration(environment.SITE_CONFIG);
  const site = await loadSite();
  const metrics = new Registry();
  watchProcess(metrics);
  countLostLines(metrics, lostLines);
  prepareDataFolder(environment.DATA_DIR);
  const secret = secretKey(environment.SECRET_KEY, environment.DATA_DIR);
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
  const quotas = assembleStoredQuotas(makeCounters, database, metrics, logger);
  const takedowns = await watchTakedowns(database, redis, logger);
  const downloader = await assembleDownloader({
    environment,
    secret,
    folder: join(environment.DATA_DIR, 'expiring-files'),
    searchPath: process.env.PATH ?? '',
    metrics,
    logger,
    isWithheld: takedowns.has,
    redis,
    objects,
  });
  const apiKeys = await assembleApiKeys(database, metrics, logger);
  const status = assembleStatus(database, logger);
  const runningDownloads = createRunningDownloads(takedowns.has, logger);
  takedowns.stopRunning(runningDownloads);
  const origin = environment.SITE_ORIGIN ?? `https://${configuration.domain}`;
  const monitoring = await assembleMonitoring({
    ...{ environment, configuration, origin, metrics, logger },
    release: site.version,
  });
  if (monitoring !== null) onError(monitoring.report);
  const ownContent = withoutCategories(configuration, createContent(database.query, Date.now, pictures));
  // The variable is this machine's, the configuration the site's.
  const [main] = originsOf(configuration.backends, 'main', tierOf(new URL(origin).hostname));
  const listsFrom = environment.CONTENT_URL ?? main;
  const content = cacheLists(
    listsFrom === undefined
      ? ownContent
      : withoutCategories(configuration, withRemoteLists(ownContent, listsFrom, origin, metrics, logger)),
  );
  const messages = await assembleMessages(
    environment,
    database,
    configuration,
    metrics,
    logger,
    rateLimits,
    quotas,
  );
  const statistics = assembleStatistics(database, configuration.visitors, metrics, logger);
  const contentWork = await assembleContentWork(database, configuration, redis, logger);
  const contentRenderer = assembleContentRenderer(configuration, origin, content, logger);
  const push = await assemblePush(environment, configuration.push, site, database, metrics, logger);
  const { settings: workerSettings, ...workers } = assembleWorkers(environment, site, push.settings);
  const drawer = createDrawer();
  const sharePictureFiles = await openSharePictures(environment, logger);
  const parts: ServerParts = {
    ...downloader.parts,
    configuration,
    origin,
    logger,
    logRequest,
    metrics,
    metricsElsewhere: environment.METRICS_PORT !== undefined,
    site,
    ...workers,
    policy: {
      ...workers.policy,
      connect: [...(workers.policy.connect ?? []), ...statistics.origins],
    },
    push: push.registrar,
    content,
    contentRevision: content.revision,
    contentRenderer,
    drawer,
    sharePictureFiles,
    visitorSettings: assembleVisitorSettings(configuration, (locale) => ({
      ...workerSettings(locale),
      ...(monitoring !== null && { monitoring: { rates: configuration.monitoring.rates } }),
    })),
    promotedPictures: await assemblePromotedPictures(database, configuration, logger),
    views: contentWork.views,
    statistics: statistics.parts,
    visitNames: createVisitNames(secret, Date.now),
    receiveMessage: messages.receiveMessage,
    runningDownloads,
    monitoring,
    resolveBackends: assembleResolveBackends(metrics, logger),
    readBackendPicture: createBackendPictures(fetch, backendOrigins(configuration)),
    apiKeys: apiKeys.apiKeys,
    status: status.status,
    featureServices: { siteStatus: status.status.look },
    isWithheld: takedowns.has,
    isDatabaseAway: takedowns.isDatabaseAway,
    absent: () => [...(redis?.isAway ? ['Redis'] : []), ...(objects?.isAway ? [objects.name] : [])],
    limits: {
      resolve: rateLimits.create('resolve', environment.RESOLVES_PER_MINUTE),
      files: rateLimits.create('files', environment.FILES_PER_MINUTE),
      // Pages are told by a stream; who asks instead may ask ten times a second.
      status: rateLimits.create('status', Math.ceil((environment.FILES_PER_MINUTE * 5) / 12), 5),
      // Enough for another site that takes its lists from here in all languages.
      lists: rateLimits.create('lists', 300),
      reports: rateLimits.create('reports', environment.REPORTS_PER_MINUTE),
      visits: rateLimits.create('visits', countedPerHour, hourS),
      visitors: rateLimits.create('visitors', countedPerHour, hourS),
      storedReports: quotas.create('reports', [reportLimit(environment.REPORTS_PER_HOUR)]),
      // Whoever has reported much is forgotten all the same.
      forgetting: rateLimits.create('forgetting', 120),
      // A page sends a recording every five seconds, and some reports together. Cleaning takes up to 50 ms each.
      monitoring: rateLimits.create('monitoring', 10, 10),
      push: rateLimits.create('push', 30),
      subscriptions: quotas.create(
        'push_subscriptions',
        subscriptionLimits(environment.SUBSCRIPTIONS_PER_HOUR),
      ),
      uncached: rateLimits.createLate('uncached', environment.PAGES_PER_MINUTE),
      downloads: createDownloadLimit(environment.DOWNLOADS_AT_ONCE),
      watches: createDownloadLimit(environment.DOWNLOADS_AT_ONCE),
    },
    mostConnections: environment.MAX_CONNECTIONS ?? mostConnections(),
    trustedProxies: environment.TRUST_PROXY,
    ...assemblePageCache({
      environment,
      serving: configuration.serving,
      site,
      metrics,
      logger,
      secret,
      redis,
    }),
    // What is counted together must be called alike.
    hashVisitor: createVisitorHasher(redis === null ? ownNamingKey() : dailyNamingKey(secret)),
    stopping,
  };
  contentWork.watch(parts.pageCache, content.clear);
  return {
    parts,
    features: await loadFeatures(),
    downloader,
    async closeStores() {
      drawer.close();
      await Promise.all([
        messages.close(),
        contentWork.close(),
        statistics.close(),
        takedowns.close(),
        apiKeys.close(),
        status.close(),
        push.close(),
        quotas.close(),
        contentRenderer.close(),
        sharePictureFiles.close(),
      ]);
      await database.close();
      await redis?.close();
      await objects?.close();
    },
  };
}
