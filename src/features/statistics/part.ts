import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { startPoller } from '../../process/poller.ts';
import { startRetentionJob } from '../../process/retention-job.ts';
import { createClockCheck } from '../../process/steady-clock.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { VisitorConfiguration } from '../../web/configuration/visitor-fields.ts';
import type { StoredLimit } from '../../web/http/stored-quota.ts';
import { createReports } from './reports.ts';
import { createStatistics, type Statistics, type StatisticsObserver } from './statistics.ts';

/** What takes statistics, and what writes them. */
interface StatisticsParts {
  /** Null where the site keeps none. */
  readonly parts: Statistics | null;
  /** Where pages send reports, if not here. */
  readonly origins: readonly string[];
  close(): Promise<void>;
}

const minuteMs = 60_000;

function observe(metrics: Registry): StatisticsObserver {
  const reports = new Counter({
    name: 'clipferry_reports_total',
    help: 'Reports of visitors: stored, repeated (the same came before), or dropped for want of room.',
    labelNames: ['result'],
    registers: [metrics],
  });
  const sums = new Counter({
    name: 'clipferry_sums_dropped_total',
    help: 'What was not counted, because too many different things were within a second.',
    registers: [metrics],
  });
  return {
    stored: (number) => reports.inc({ result: 'stored' }, number),
    repeated: (number) => reports.inc({ result: 'repeated' }, number),
    dropped: (number) => reports.inc({ result: 'dropped' }, number),
    sumDropped: () => sums.inc(),
  };
}

/** What a report takes on average, at most; browsers of visitors send some 600 bytes. */
const reportBytes = 1000;
/** The share of all reports that visitors of one address block may have. */
const blockShare = 10;

/** How many reports are kept in an hour. @param rows of all visitors together */
export const reportLimit = (rows: number): StoredLimit => {
  const all = { rows, bytes: rows * reportBytes };
  const ofBlock = (amount: number) => Math.ceil(amount / blockShare);
  return { periodS: 3600, all, block: { rows: ofBlock(all.rows), bytes: ofBlock(all.bytes) } };
};

/** Puts together what the site learns of its visitors. Where it keeps no statistics, nothing runs. */
export function assembleStatistics(
  { query }: Database,
  { consent, hasStatistics, statisticsDays, analyticsUrl }: VisitorConfiguration,
  metrics: Registry,
  logger: Logger,
): StatisticsParts {
  if (!hasStatistics) return { parts: null, origins: [], async close() {} };
  const statistics = createStatistics(query, Date.now, observe(metrics));
  const endWriting = startPoller(statistics.flush, (error) =>
    logger.error({ err: error }, 'statistics could not be written'),
  );
  const kept = createReports(query, Date.now);
  const startDeleting = (what: string, remove: () => Promise<unknown>, everyMs?: number) =>
    startRetentionJob({
      deleteOld: () =>
        remove().catch((error: unknown) => logger.error({ err: error }, `${what} could not be deleted`)),
      isClockSteady: createClockCheck({ wallNow: Date.now, monotonicNow: () => performance.now() }),
      logger,
      ...(everyMs !== undefined && { everyMs }),
    });
  const endDeleting = startDeleting('old reports', async () => {
    const reports = await kept.expire(statisticsDays);
    if (reports > 0) logger.info({ reports }, 'old reports deleted');
  });
  const endWishes = startDeleting('old wishes to be forgotten', kept.expireWishes, minuteMs);
  return {
    parts: statistics,
    origins: consent === 'off' || analyticsUrl === null ? [] : [new URL(analyticsUrl).origin],
    async close() {
      await Promise.all([endWriting(), endDeleting(), endWishes()]);
    },
  };
}
