import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { cacheLists } from '../content/reading/cached-lists.ts';
import { createContent } from '../content/reading/read-content.ts';
import { backendOrigins, createBackendPictures } from '../server/backend-pictures.ts';
import { createRunningDownloads } from '../server/endpoints/files/running.ts';
import { createDownloadLimit } from '../server/http/download-limit.ts';
import { createLateRateLimit, createRateLimit } from '../server/http/rate-limits.ts';
import { createVisitorNamer } from '../server/http/visitor.ts';
import { watchProcess } from '../server/metrics/process.ts';
import type { BuiltSite, ServerParts } from '../server/parts.ts';
import type { SiteConfiguration } from '../site/configuration/configuration.ts';
import { assembleContentWork } from './parts/content.ts';
import { withRemoteLists } from './parts/content-lists.ts';
import { prepareDataFolder } from './parts/data-folder.ts';
import { openSiteDatabase } from './parts/database.ts';
import { assembleDownloader, type Downloader } from './parts/downloader.ts';
import { assembleMessages } from './parts/messages.ts';
import { assemblePageCache } from './parts/page-caching.ts';
import { readSiteConfiguration } from './parts/read-site-configuration.ts';
import { assembleResolveBackends } from './parts/resolve-backends.ts';
import { secretKey } from './parts/secret-key.ts';
import { siteNames } from './parts/site-names.ts';
import { importStarterContent } from './parts/starter-content.ts';
import { watchTakedowns } from './parts/takedowns.ts';
import { assembleTexts } from './parts/texts.ts';
import type { Environment } from './process/environment.ts';
import { countLostLines, type Log } from './process/logger.ts';
import { mostConnections } from './process/most-connections.ts';

/** The parts of one instance, and how to end them. */
export interface Assembly {
  readonly parts: ServerParts;
  readonly downloader: Downloader;
  /** Ends mailing, counting, watching, and the database. */
  closeStores(): Promise<void>;
}

/**
 * Picks the parts that the environment asks for and puts them together.
 * @param stopping aborted when the instance is told to stop
 * @throws EnvironmentError
 */
export async function assemble(
  environment: Environment,
  loadSite: (configuration: SiteConfiguration) => Promise<BuiltSite>,
  { logger, logRequest, lostLines }: Log,
  stopping: AbortSignal,
): Promise<Assembly> {
  const configuration = readSiteConfiguration(environment.SITE_CONFIG);
  const site = await loadSite(configuration);
  const metrics = new Registry();
  watchProcess(metrics);
  countLostLines(metrics, lostLines);
  prepareDataFolder(environment.DATA_DIR);
  const secret = secretKey(environment.SECRET_KEY, environment.DATA_DIR);
  const database = await openSiteDatabase(environment, logger, (unhurried) =>
    importStarterContent(unhurried, siteNames(configuration), logger),
  );
  const takedowns = await watchTakedowns(database, logger);
  const downloader = await assembleDownloader({
    environment,
    secret,
    folder: join(environment.DATA_DIR, 'expiring-files'),
    parallel: environment.CONVERSIONS ?? availableParallelism(),
    searchPath: process.env.PATH ?? '',
    metrics,
    logger,
    isWithheld: takedowns.has,
  });
  const runningDownloads = createRunningDownloads(downloader.parts.resolver, logger);
  takedowns.stopRunning(runningDownloads);
  const origin = environment.SITE_ORIGIN ?? `https://${configuration.domain}`;
  const ownContent = createContent(database.query, Date.now);
  const content = cacheLists(
    environment.CONTENT_URL === undefined
      ? ownContent
      : withRemoteLists(ownContent, environment.CONTENT_URL, origin, metrics, logger),
  );
  const messages = await assembleMessages(environment, database, configuration.domain, metrics, logger);
  const contentWork = await assembleContentWork(database, configuration, logger);
  const texts = assembleTexts(configuration, origin, content, logger);
  const parts: ServerParts = {
    ...downloader.parts,
    configuration,
    origin,
    logger,
    logRequest,
    metrics,
    metricsElsewhere: environment.METRICS_PORT !== undefined,
    site,
    content,
    contentRevision: content.revision,
    texts,
    views: contentWork.views,
    messageDesk: messages.desk,
    runningDownloads,
    resolveBackends: assembleResolveBackends(metrics, logger),
    readBackendPicture: createBackendPictures(fetch, backendOrigins(configuration)),
    isWithheld: takedowns.has,
    isDatabaseAway: takedowns.isDatabaseAway,
    limits: {
      resolve: createRateLimit(environment.RESOLVES_PER_MINUTE),
      files: createRateLimit(environment.FILES_PER_MINUTE),
      // Enough for another site that takes its lists from here in all languages.
      lists: createRateLimit(300),
      unkept: createLateRateLimit(environment.PAGES_PER_MINUTE),
      downloads: createDownloadLimit(environment.DOWNLOADS_AT_ONCE),
    },
    mostConnections: environment.MAX_CONNECTIONS ?? mostConnections(),
    trustedProxies: environment.TRUST_PROXY,
    ...assemblePageCache({ environment, serving: configuration.serving, site, metrics, logger, secret }),
    nameVisitor: createVisitorNamer(randomBytes(32)),
    stopping,
  };
  contentWork.watch(parts.pageCache, content.clear);
  return {
    parts,
    downloader,
    async closeStores() {
      await Promise.all([messages.close(), contentWork.close(), takedowns.close(), texts.close()]);
      await database.close();
    },
  };
}
