import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Turns } from '../downloader/async/turns.ts';
import { configureCatalogue } from '../i18n/catalogue.ts';
import type { Environment } from '../process/environment.ts';
import { countLostLines, type Log } from '../process/logger.ts';
import type { Core } from '../server/feature.ts';
import { mostConnections } from '../server/http/connections.ts';
import { createStoredQuotas } from '../server/http/limits/stored-quota.ts';
import {
  createDownloadLimit,
  createRateLimits,
  type RateLimits,
} from '../server/http/limits/visitor-limits.ts';
import { createWhoCounts } from '../server/http/limits/who-counts.ts';
import type { PolicyAdditions } from '../server/http/responses/security-headers.ts';
import { createVisitorHasher, dailyNamingKey, ownNamingKey } from '../server/http/visitor/visitor.ts';
import { Arrivals } from '../server/instance/arrivals.ts';
import type { BuiltSite, ServerDependencies } from '../server/instance/parts.ts';
import { createRunningDownloads } from '../server/instance/running-downloads.ts';
import { watchDisk } from '../server/metrics/disk.ts';
import { watchProcess } from '../server/metrics/process.ts';
import { type OwnSite, openOwnSite } from '../server/own-site/own-site.ts';
import { createPageCache } from '../server/page-cache/cached-pages.ts';
import type { PageCache } from '../server/page-cache/page-cache.ts';
import { createPageSigner } from '../server/page-cache/signed-page.ts';
import { accentStyle } from '../site/configuration/accent.ts';
import type { SiteConfiguration } from '../site/configuration/configuration.ts';
import { prepareDataFolder } from '../stores/open/data-folder.ts';
import { openFeatures } from './features.ts';
import { assembleContent } from './parts/content.ts';
import { assembleCounting, stateReader } from './parts/counting.ts';
import { assembleDownloader } from './parts/downloader/downloader.ts';
import { startExampleCanary } from './parts/downloader/example-canary.ts';
import { readSiteConfiguration, warnOfUnnamed } from './parts/read-site-configuration.ts';
import { secretKey } from './parts/secret-key.ts';
import { openStores } from './parts/stores.ts';
import { assembleVisitors } from './parts/visitors.ts';

const program = fileURLToPath(new URL('./cli/main.ts', import.meta.url));

/** Runs a command of `src/app/cli/` with this process's environment. */
const runCommand: Core['runCommand'] = (words, signal) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(process.execPath, [program, ...words], { signal }, (error, output, errors) => {
    if (error === null) resolve(output);
    else reject(new Error(errors.trim().split('\n').at(-1) || error.message, { cause: error }));
  });
  return promise;
};

/**
 * Assembles the parts of an instance as the environment asks.
 * @param stopping aborts when the instance is to stop
 * @throws EnvironmentError
 */
export async function assemble(
  environment: Environment,
  loadSite: () => Promise<BuiltSite>,
  { logger, logRequest, lostLines, onError }: Log,
  stopping: AbortSignal,
) {
  const configuration = readSiteConfiguration(environment);
  warnOfUnnamed(configuration, logger);
  const own = await assembleOwnSite(environment, configuration, logger);
  const site = own.withVersion(await loadSite());
  const metrics = new Registry();
  watchProcess(metrics);
  watchDisk(environment.DATA_DIR, metrics);
  countLostLines(metrics, lostLines);
  prepareDataFolder(environment.DATA_DIR);
  const secret = secretKey(environment.SECRET_KEY, environment.DATA_DIR);
  const origin = environment.SITE_ORIGIN ?? `https://${configuration.domain}`;

  const stores = await openStores(environment, configuration, metrics, logger);
  const { database, redis, makeCounters } = stores;
  const counting = await assembleCounting({ environment, configuration, database, metrics, logger });
  const { tally, watch } = counting;
  const core: Core = {
    ...{ environment, configuration, origin, site, secret, database, redis, tally, metrics, logger },
    rateLimits: createRateLimits(makeCounters),
    quotas: createStoredQuotas(makeCounters, (table, rows) => tally.add('refused', table, '', rows)),
    runningDownloads: createRunningDownloads(logger),
    instanceState: async () => (await watch?.stateNow()) ?? null,
    runCommand,
  };

  const features = await openFeatures(core);
  const { isWithheld } = features.parts;
  onError((error, requestId) => {
    void features.onError(error, requestId);
    tally.add('error', 'log');
  });
  const downloader = await assembleDownloader({
    ...{ environment, secret, metrics, logger, isWithheld, watch, redis, objects: stores.objects },
    folder: join(environment.DATA_DIR, 'expiring-files'),
    searchPath: process.env.PATH ?? '',
  });
  const visitors = assembleVisitors(core, features.all, own.policy);
  const content = await assembleContent({
    ...core,
    ...{ stores, shown: features.content, ownLegal: own.legal },
    visitorSettings: visitors.visitorSettings,
    legalOfFeatures: features.legal,
  });
  const pageCache = features.pageCache ?? openPageCache(core);
  const canary = startExampleCanary(
    { ...{ configuration, logger }, resolver: downloader.parts.resolver, pageCache },
    environment.FALLBACK_TRIAL_MINUTES > 0,
  );

  const parts: ServerDependencies = {
    ...{ configuration, own, origin, site, tally, metrics, logger, logRequest, stopping },
    ...features.parts,
    ...downloader.parts,
    ...content.parts,
    pageCache,
    pageCacheForced: environment.PAGE_CACHE ?? (site.isDevelopment ? false : null),
    cacheAdminSecret: environment.CACHE_ADMIN_SECRET ?? null,
    ...visitors,
    examples: canary.examples,
    runningDownloads: core.runningDownloads,
    arrivals: new Arrivals(),
    counts: createWhoCounts({ makeCounters, isWithheld, tally }),
    metricsElsewhere: environment.METRICS_PORT !== undefined,
    ...{ absent: stores.absent, obstacle: stores.obstacle },
    limits: assembleLimits(environment, core.rateLimits),
    mostConnections: environment.MAX_CONNECTIONS ?? mostConnections(),
    trustedProxies: environment.TRUST_PROXY,
    // Instances that share counters must hash visitors with the same key.
    hashVisitor: createVisitorHasher(redis === null ? ownNamingKey() : dailyNamingKey(secret)),
  };
  content.watch(pageCache);
  watch?.publish(stateReader(core, { parts, downloader, recent: counting.recent, stores }));
  return {
    ...{ parts, features, downloader },
    /** Ends mailing, counting, watching, and the database. */
    async closeStores() {
      canary.close();
      await Promise.all([features.close(), content.close(), watch?.close()]);
      // Close writes the events that still wait.
      await tally.close();
      await stores.close();
    },
  };
}

/**
 * Caches pages in this process, with a second level on Redis. Pages of another build refer to scripts that this build does
 * not have: each build has a space of its own.
 */
function openPageCache({ redis, configuration, site: { version }, secret }: Core): PageCache {
  const { domain, max_mb } = configuration.page_cache;
  const maxBytes = max_mb * 2 ** 20;
  const shared = redis && {
    texts: redis.openCache(`pages-${version}`, maxBytes),
    signer: createPageSigner({ secret, domain, version }),
  };
  return createPageCache({ maxBytes, shared });
}

/** Requests to the platform for the results of one visitor: as many as posts that a list reads at a time. */
const requestsAtOnce = 4;

/** The limits of one visitor. */
function assembleLimits(
  { RESOLVES_PER_MINUTE, FILES_PER_MINUTE, PAGES_PER_MINUTE, DOWNLOADS_AT_ONCE }: Environment,
  { create, createLate }: RateLimits,
): ServerDependencies['limits'] {
  const turns = new Turns();
  return {
    resolve: create('resolve', RESOLVES_PER_MINUTE),
    files: create('files', FILES_PER_MINUTE),
    // Each is a conversion of its own, and a person tries a few.
    cuts: create('cuts', Math.ceil(FILES_PER_MINUTE / 2), 600),
    // Pages use an event stream; other clients may poll ten times a second.
    status: create('status', Math.ceil((FILES_PER_MINUTE * 5) / 12), 5),
    // Enough for another site that loads its lists from here in all languages.
    lists: create('lists', 300),
    // Applies even to a visitor who has used up the limit on reports.
    forgetting: create('forgetting', 120),
    uncached: createLate('uncached', PAGES_PER_MINUTE),
    turns: ({ key, times = 1 }) => turns.of(key, requestsAtOnce * times),
    downloads: createDownloadLimit(DOWNLOADS_AT_ONCE),
    watches: createDownloadLimit(DOWNLOADS_AT_ONCE),
  };
}

/**
 * Opens the site's own folder, puts its words into the catalogues, and warns of what has no place.
 * @throws EnvironmentError
 */
async function assembleOwnSite(
  { SITE_DIR }: Pick<Environment, 'SITE_DIR'>,
  { locales, accent }: SiteConfiguration,
  logger: Logger,
): Promise<OwnSite & { readonly policy: PolicyAdditions; withVersion(site: BuiltSite): BuiltSite }> {
  const own = await openOwnSite(SITE_DIR, locales);
  configureCatalogue({ own: own.words });
  for (const { of, what } of [...own.leftOut, ...own.gaps]) logger.warn({ file: of }, what);
  return {
    ...own,
    policy: accent ? { styles: [`'sha256-${hash('sha256', accentStyle(accent), 'base64')}'`] } : {},
    /** Instances with other words share no pages. */
    withVersion: (site) =>
      own.version === '' ? site : { ...site, version: `${site.version}-${own.version}` },
  };
}
