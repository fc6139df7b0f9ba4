import { Counter } from 'prom-client';
import { startPoller, startRetentionJob } from '../../process/periodic.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { StoredLimit } from '../../server/http/limits/stored-quota.ts';
import { type ReportLimits, reportEndpoints, reportPaths } from './endpoints.ts';
import { createStatistics } from './statistics.ts';
import { createReports } from './sums/reports.ts';
import { createVisitNames } from './visits.ts';

const minuteMs = 60_000;

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

/** Opens statistics. A site without them runs nothing. */
export default function openStatistics(
  core: Core,
  most: { readonly REPORTS_PER_MINUTE: number; readonly REPORTS_PER_HOUR: number },
): FeatureServer {
  const { secret, rateLimits, quotas, configuration, tally, metrics, logger } = core;
  const { query } = core.database;
  const { consent, analytics_url } = configuration;
  if (!configuration.statistics) return {};
  const results = new Counter({
    name: 'clipferry_reports_total',
    help: 'Reports of visitors: stored, repeated (the same came before), or dropped for want of room.',
    labelNames: ['result'],
    registers: [metrics],
  });
  const statistics = createStatistics(query, Date.now, (result, reports) => {
    results.inc({ result }, reports);
    if (result === 'dropped') tally.add('uncounted', 'report', 'queue full', reports);
  });
  const { forget } = statistics;
  const failed = (what: string) => (error: unknown) => logger.error({ err: error }, what);
  const endWriting = startPoller(statistics.flush, failed('statistics could not be written'));
  const kept = createReports(query, Date.now);
  const endDeleting = startRetentionJob({
    deleteOld: () =>
      kept
        .expire(configuration.statistics_days)
        .then(
          (reports) => reports > 0 && logger.info({ reports }, 'old reports deleted'),
          failed('old reports could not be deleted'),
        ),
    logger,
  });
  const endErasures = startRetentionJob({
    deleteOld: () => kept.expireErasures().catch(failed('old wishes to be forgotten could not be deleted')),
    logger,
    everyMs: minuteMs,
  });
  const close = async () => {
    await Promise.all([endWriting(), endDeleting(), endErasures()]);
  };
  if (consent === 'off') return { forget, close };
  const limits: ReportLimits = {
    reports: rateLimits.create('reports', most.REPORTS_PER_MINUTE),
    storedReports: quotas.create('reports', [reportLimit(most.REPORTS_PER_HOUR)]),
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
