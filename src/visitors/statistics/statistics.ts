import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { type Counted, createWaitingSums, dayOf, writeSums } from './daily-sums.ts';
import type { Report } from './report.ts';
import { createReports } from './reports.ts';

/** Takes what happens without anybody waiting for the database; {@link Statistics.flush} writes it. */
export interface Statistics {
  /** Adds one to a sum of today's that identifies nobody. */
  count(counted: Counted): void;
  /** @returns false when there is no room for them: they are dropped, and counted */
  report(reports: readonly Report[]): boolean;
  /** Deletes everything that belongs to a visitor. @returns how many reports that were */
  forget(token: string): Promise<number>;
  /** Writes what has come since the last time. What cannot be written waits for the next. */
  flush(): Promise<void>;
}

/** What statistics tell about their own work, in numbers of reports. */
export interface StatisticsObserver {
  stored(reports: number): void;
  /** The same report came before. */
  repeated(reports: number): void;
  dropped(reports: number): void;
  sumDropped(): void;
}

const dayMs = 86_400_000;

/** How much may wait for the database: about 20 s of 500 reports a second, some 10 MB. */
const mostReports = 10_000;
const mostSums = 10_000;
/** Written in one transaction: what a second brings, mostly. */
const batchSize = 1000;

/** @param now milliseconds since 1970 */
export function createStatistics(
  query: Kysely<Tables>,
  now: () => number,
  observer: StatisticsObserver,
  { most = mostReports }: { readonly most?: number } = {},
): Statistics {
  const kept = createReports(query, now);
  const sums = createWaitingSums(mostSums, observer.sumDropped);
  let waiting: Report[] = [];
  /** Those who wished it since the present batch was taken. */
  const forgotten = new Set<string>();

  let countedDay = 0;
  let dayName = '';

  /** Written once a day: every page that is read asks for it. */
  function today(): string {
    const day = Math.floor(now() / dayMs);
    if (day !== countedDay) [countedDay, dayName] = [day, dayOf(day * dayMs)];
    return dayName;
  }

  async function writeSome(): Promise<void> {
    const batch = waiting.slice(0, batchSize);
    waiting = waiting.slice(batchSize);
    try {
      const stored = await kept.add(batch);
      observer.stored(stored);
      observer.repeated(batch.length - stored);
    } catch (error) {
      const back = batch.filter(({ token }) => !forgotten.has(token));
      waiting = [...back, ...waiting];
      throw error;
    }
  }

  async function writeAllSums(): Promise<void> {
    const taken = sums.take();
    if (taken.length === 0) return;
    try {
      await query.transaction().execute((transaction) => writeSums(transaction, taken));
    } catch (error) {
      sums.putBack(taken);
      throw error;
    }
  }

  return {
    count: (counted) => sums.add(today(), counted),
    report(reports) {
      if (waiting.length + reports.length > most) {
        observer.dropped(reports.length);
        return false;
      }
      waiting.push(...reports);
      return true;
    },
    async forget(token) {
      forgotten.add(token);
      waiting = waiting.filter((report) => report.token !== token);
      return kept.forget(token);
    },
    async flush() {
      forgotten.clear();
      await writeAllSums();
      // Not those that come meanwhile: they have their turn.
      for (let batches = Math.ceil(waiting.length / batchSize); batches > 0; batches -= 1) {
        await writeSome();
        await nextTurn();
      }
    },
  };
}
