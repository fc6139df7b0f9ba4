import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { LegalValues } from '../content/legal/fill.ts';
import type { Environment } from '../process/environment.ts';
import { countLostLines, type Log } from '../process/logger.ts';
import { mostConnections } from '../process/most-connections.ts';
import type { Core, FeatureServer } from '../server/feature.ts';
import { createRateLimits } from '../server/http/limits/rate-limits.ts';
import { createStoredQuotas } from '../server/http/limits/stored-quota.ts';
import { createWhoCounts } from '../server/http/limits/who-counts.ts';
import { joinPolicies } from '../server/http/responses/security-headers.ts';
import { createVisitorHasher, dailyNamingKey, ownNamingKey } from '../server/http/visitor/visitor.ts';
import { Arrivals } from '../server/instance/arrivals.ts';
import type { BuiltSite, ErrorReporter, ServerDependencies } from '../server/instance/parts.ts';
import { createRunningDownloads, type RunningDownloads } from '../server/instance/running-downloads.ts';
import { watchDisk } from '../server/metrics/disk.ts';
import { watchProcess } from '../server/metrics/process.ts';
import { countEvents } from '../server/metrics/tally.ts';
import { createRecentCounts } from '../server/tally/recent-counts.ts';
import { prepareDataFolder } from '../stores/open/data-folder.ts';
import { openTally } from '../stores/tally/tally.ts';
import { features } from './features.ts';
import { assembleContent } from './parts/content/content.ts';
import { legalValues } from './parts/content/legal-values.ts';
import { assembleOwnSite } from './parts/content/own-site.ts';
import { assembleDownloader, type Downloader } from './parts/downloader/downloader.ts';
import { startExampleCanary } from './parts/downloader/example-canary.ts';
import { openFeatures } from './parts/features.ts';
import { stateReader } from './parts/instance-watch.ts';
import { assembleLimits } from './parts/limits.ts';
import { assemblePageCache } from './parts/page-caching.ts';
import { reportDatabase } from './parts/reachability.ts';
import { readSiteConfiguration } from './parts/read-site-configuration.ts';
import { runCommand } from './parts/run-command.ts';
import { secretKey } from './parts/secret-key.ts';
import { assembleWorkers } from './parts/service-workers.ts';
import { openStores } from './parts/stores.ts';
import { warnOfUnnamed } from './parts/unnamed-operator.ts';
import { assembleVisitorSettings } from './parts/visitor-settings.ts';

/** The parts of one instance, and how to end them. */
export interface Assembly {
  readonly parts: ServerDependencies;
  readonly features: readonly FeatureServer[];
  readonly reporter: ErrorReporter | null;
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
  const { database, redis, objects } = stores;
  const rateLimits = createRateLimits(stores.makeCounters);
  const { query } = database;
  const audiences = features.flatMap(({ audience }) => audience?.({ environment, configuration }) ?? []);
  const recent = createRecentCounts(() => performance.now());
  const events = countEvents(metrics);
  const tally = openTally({
    ...{ query, logger, audiences, onFull: events.onFull },
    observe(subject, name, detail, times) {
      events.observe(subject, name, detail, times);
      if (subject === 'outcome' || subject === 'link') recent.add(name, detail === 'failed');
    },
  });
  const watch = audiences.includes('operator')
    ? (await import('../server/tally/instance-watch.ts')).watchInstance({
        ...{ query, tally, logger, recent },
        egresses: new Map(environment.OUTBOUND_PROXIES?.map(({ id, label }) => [id, label])),
      })
    : null;
  const quotas = createStoredQuotas(stores.makeCounters, (table, rows) =>
    tally.add('refused', table, '', rows),
  );

  let runningDownloads: RunningDownloads | null = null;
  const core: Core = {
    ...{ environment, configuration, origin, site, secret, database, redis },
    ...{ rateLimits, quotas, tally, metrics, logger },
    instanceState: async () => (await watch?.stateNow()) ?? null,
    recheckDownloads: () => runningDownloads?.recheck(),
    runCommand,
  };
  const opened = await openFeatures(core);
  const { reporter, sharedPages, listsFrom, ...slots } = opened.slots;
  const { isWithheld } = slots;
  const ofFeatures = opened.all.map.bind(opened.all);
  onError((error, requestId) => {
    reporter?.report(error, requestId);
    tally.add('error', 'log');
  });
  reportDatabase(metrics, slots.isDatabaseAway);
  const downloader = await assembleDownloader({
    ...{ environment, secret, metrics, logger, isWithheld, redis, objects },
    watch,
    folder: join(environment.DATA_DIR, 'expiring-files'),
    searchPath: process.env.PATH ?? '',
  });
  runningDownloads = createRunningDownloads(isWithheld, logger);

  const workers = assembleWorkers(environment, site);
  const visitorSettings = assembleVisitorSettings(
    configuration,
    opened.all.flatMap(({ asksFor = [] }) => asksFor),
    (locale) => Object.assign({}, workers.settings, ...ofFeatures(({ settings }) => settings?.(locale))),
  );
  const ofLegal: Partial<LegalValues> = Object.assign({}, ...ofFeatures(({ legal }) => legal));
  const content = await assembleContent({
    ...{ configuration, origin, stores, metrics, logger, ownLegal: own.legal },
    legalIn: (locale) => legalValues(configuration, environment, locale, visitorSettings(locale), ofLegal),
    // The variable is this machine's, the configuration the site's.
    listsFrom: environment.CONTENT_URL ?? listsFrom,
  });
  const pageCaching = assemblePageCache({ environment, configuration, site, secret, redis }, sharedPages);
  const canary = startExampleCanary(
    { ...{ configuration, logger }, resolver: downloader.parts.resolver, pageCache: pageCaching.pageCache },
    environment.FALLBACK_TRIAL_MINUTES > 0,
  );
  const parts: ServerDependencies = {
    ...downloader.parts,
    ...slots,
    ...content.parts,
    ...{ configuration, own, origin, logger, logRequest, metrics, site, stopping, runningDownloads },
    arrivals: new Arrivals(),
    examples: canary.examples,
    tally,
    forget: (token) => Promise.all(ofFeatures(({ forget }) => forget?.(token))),
    counts: createWhoCounts({ makeCounters: stores.makeCounters, isWithheld, tally }),
    metricsElsewhere: environment.METRICS_PORT !== undefined,
    hasServiceWorker: workers.hasServiceWorker,
    policy: joinPolicies(workers.policy, own.policy, ...opened.all.map(({ policy }) => policy)),
    visitorSettings,
    featureServices: Object.assign({}, ...ofFeatures(({ services }) => services)),
    deskPages: async (given) => (await Promise.all(ofFeatures(({ desk }) => desk?.(given) ?? []))).flat(),
    absent: stores.absent,
    limits: assembleLimits(environment, rateLimits),
    mostConnections: environment.MAX_CONNECTIONS ?? mostConnections(),
    trustedProxies: environment.TRUST_PROXY,
    ...pageCaching,
    // Instances that share counters must hash visitors with the same key.
    hashVisitor: createVisitorHasher(redis === null ? ownNamingKey() : dailyNamingKey(secret)),
  };
  content.watch(parts.pageCache);
  const told = { parts, downloader, recent, sharesRedis: redis !== null, objects: objects?.name ?? null };
  watch?.publish(stateReader(environment, database, told));
  return {
    parts,
    features: opened.all,
    reporter,
    downloader,
    async closeStores() {
      canary.close();
      await Promise.all([opened.close(), content.close(), watch?.close()]);
      // Close writes the events that still wait.
      await tally.close();
      await stores.close();
    },
  };
}
