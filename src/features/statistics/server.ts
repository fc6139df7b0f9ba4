import { Counter, type Registry } from 'prom-client';
import { startPoller } from '../../process/poller.ts';
import { startRetentionJob } from '../../process/retention-job.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { StoredLimit } from '../../server/http/limits/stored-quota.ts';
import type { Tally } from '../../stores/tally/tally.ts';
import { reportEndpoints } from './endpoints.ts';
import { reportPaths } from './open-api.ts';
import type { ReportLimits } from './report-visit.ts';
import { createStatistics, type Statistics, type StatisticsObserver } from './statistics.ts';
import { createReports } from './sums/reports.ts';
import { statisticsVariables } from './variables.ts';
import { createVisitNames } from './visit-names.ts';

const minuteMs = 60_000;

function observe(metrics: Registry, tally: Tally): StatisticsObserver {
  const reports = new Counter({
    name: 'clipferry_reports_total',
    help: 'Reports of visitors: stored, repeated (the same came before), or dropped for want of room.',
    labelNames: ['result'],
    registers: [metrics],
  });
  return {
    stored: (number) => reports.inc({ result: 'stored' }, number),
    repeated: (number) => reports.inc({ result: 'repeated' }, number),
    dropped(number) {
      reports.inc({ result: 'dropped' }, number);
      tally.add('uncounted', 'report', 'queue full', number);
    },
  };
}

/** Upper bound of a report's average size; real ones have some 600 bytes. */
const reportBytes = 1000;
/** The share of all reports that visitors of one address block may have. */
const blockShare = 10;

/** Limit of stored reports per hour. @param rows of all visitors together */
const reportLimit = (rows: number): StoredLimit => {
  const all = { rows, bytes: rows * reportBytes };
  const ofBlock = (amount: number) => Math.ceil(amount / blockShare);
  return { periodS: 3600, all, block: { rows: ofBlock(all.rows), bytes: ofBlock(all.bytes) } };
};

/** Runs what writes statistics and forgets them. */
function runStatistics({ database: { query }, configuration, tally, metrics, logger }: Core): {
  readonly statistics: Statistics;
  close(): Promise<void>;
} {
  const statistics = createStatistics(query, Date.now, observe(metrics, tally));
  const endWriting = startPoller(statistics.flush, (error) =>
    logger.error({ err: error }, 'statistics could not be written'),
  );
  const kept = createReports(query, Date.now);
  const startDeleting = (what: string, remove: () => Promise<unknown>, everyMs?: number) =>
    startRetentionJob({
      deleteOld: () =>
        remove().catch((error: unknown) => logger.error({ err: error }, `${what} could not be deleted`)),
      logger,
      ...(everyMs !== undefined && { everyMs }),
    });
  const endDeleting = startDeleting('old reports', async () => {
    const reports = await kept.expire(configuration.statistics_days);
    if (reports > 0) logger.info({ reports }, 'old reports deleted');
  });
  const stopErasures = startDeleting('old wishes to be forgotten', kept.expireErasures, minuteMs);
  return {
    statistics,
    async close() {
      await Promise.all([endWriting(), endDeleting(), stopErasures()]);
    },
  };
}

/** Opens statistics. A site without them runs nothing. */
export default function openStatistics(core: Core): FeatureServer {
  const { environment, secret, rateLimits, quotas, configuration, tally } = core;
  const { consent, analytics_url } = configuration;
  if (!configuration.statistics) return {};
  const { statistics, close } = runStatistics(core);
  const { forget } = statistics;
  if (consent === 'off') return { forget, close };
  const own = statisticsVariables.read(environment);
  const limits: ReportLimits = {
    reports: rateLimits.create('reports', own.REPORTS_PER_MINUTE),
    storedReports: quotas.create('reports', [reportLimit(own.REPORTS_PER_HOUR)]),
  };
  const visitNames = createVisitNames(secret, Date.now);
  return {
    routes: (app, parts) =>
      reportEndpoints(app, {
        ...{ statistics, visitNames, tally, configuration, counts: parts.counts },
        limits: { ...limits, forgetting: parts.limits.forgetting },
      }),
    paths: reportPaths,
    forget,
    // Links to partners say who follows them, where visitors are known.
    asksFor: ['statistics', ...(configuration.partner_domains.length > 0 ? (['marketing'] as const) : [])],
    policy: { connect: analytics_url === undefined ? [] : [new URL(analytics_url).origin] },
    close,
  };
}
