import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { startPoller } from '../../../process/poller.ts';
import type { Database } from '../../../stores/contracts/database.ts';
import type { MakeRateCounters } from '../../../stores/contracts/rate-counters.ts';
import { createHourlyCounts } from '../../../stores/hourly-counts.ts';
import { createStoredQuotas, type StoredQuotas } from './stored-quota.ts';

/** What refused rows of a table are counted under, for the operator's commands. */
export const refusedName = (table: string): string => `refused ${table}`;

interface StoredQuotaParts extends StoredQuotas {
  close(): Promise<void>;
}

/** Puts together what bounds the rows that visitors leave. What is refused is counted in metrics and database. */
export function assembleStoredQuotas(
  makeCounters: MakeRateCounters,
  { query }: Pick<Database, 'query'>,
  metrics: Registry,
  logger: Logger,
): StoredQuotaParts {
  const refused = new Counter({
    name: 'clipferry_rows_refused_total',
    help: 'Rows that visitors wanted to leave and for which there was no room in this hour or day, by table.',
    labelNames: ['table'],
    registers: [metrics],
  });
  const counts = createHourlyCounts(query, Date.now);
  const unwritten = new Map<string, number>();

  async function write(): Promise<void> {
    for (const [table, rows] of unwritten) {
      unwritten.delete(table);
      try {
        await counts.add(refusedName(table), rows);
      } catch (error) {
        unwritten.set(table, (unwritten.get(table) ?? 0) + rows);
        throw error;
      }
    }
  }

  const endWriting = startPoller(write, (error) =>
    logger.error({ err: error }, 'refused rows could not be counted'),
  );
  const quotas = createStoredQuotas(makeCounters, (table, rows) => {
    refused.inc({ table }, rows);
    unwritten.set(table, (unwritten.get(table) ?? 0) + rows);
  });
  return { ...quotas, close: endWriting };
}
