import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Report } from './report.ts';
import { createReports } from './sums/reports.ts';

/** Is told how many reports were stored, came before (`repeated`), or had no room (`dropped`). */
export type CountReports = (result: 'stored' | 'repeated' | 'dropped', reports: number) => void;

/** Limit of events waiting for the database: about 20 s of 500 reports a second, some 10 MB. */
const mostReports = 10_000;
/** Written in one transaction: what a second brings, mostly. */
const batchSize = 1000;

/** Longer than a report waits for being written, and than its writing takes. */
const secondLookMs = 5000;
const mostSecondLooks = 1000;

/**
 * Tokens that are erased once more a moment after the request: another instance may have been writing that visitor's
 * first report, invisible to others at the time.
 */
function createSecondLooks(now: () => number) {
  const erasures = new Map<string, number>();
  return {
    add(token: string) {
      if (erasures.size < mostSecondLooks || erasures.has(token)) erasures.set(token, now());
    },
    /** Passes each due token to `forget`; retries after a failure. */
    async run(forget: (token: string) => Promise<unknown>): Promise<void> {
      for (const [token, at] of erasures)
        if (now() - at >= secondLookMs) {
          await forget(token);
          erasures.delete(token);
        }
    },
  };
}

/** Collects events without waiting for the database; {@link Statistics.flush} writes them. */
export type Statistics = ReturnType<typeof createStatistics>;

/** @param now milliseconds since 1970 */
export function createStatistics(
  query: Kysely<Tables>,
  now: () => number,
  count: CountReports,
  { most = mostReports }: { readonly most?: number } = {},
) {
  const kept = createReports(query, now);
  let waiting: Report[] = [];
  /** Tokens that were to be forgotten since the present batch was taken. */
  const forgotten = new Set<string>();
  /** Tokens of the batch that is being written. */
  let inWriting: ReadonlySet<string> = new Set();
  const secondLooks = createSecondLooks(now);

  async function writeSome(): Promise<void> {
    const batch = waiting.slice(0, batchSize);
    waiting = waiting.slice(batchSize);
    inWriting = new Set(batch.map(({ token }) => token));
    try {
      const stored = await kept.add(batch);
      count('stored', stored);
      count('repeated', batch.length - stored);
    } catch (error) {
      const back = batch.filter(({ token }) => !forgotten.has(token));
      waiting = [...back, ...waiting];
      throw error;
    } finally {
      inWriting = new Set();
    }
  }

  return {
    /** @returns false when there is no room for them: they are dropped, and counted */
    report(reports: readonly Report[]) {
      if (waiting.length + reports.length > most) {
        count('dropped', reports.length);
        return false;
      }
      waiting.push(...reports);
      return true;
    },
    /** Deletes everything that belongs to a visitor. @returns how many reports that were */
    async forget(token: string) {
      const before = waiting.length;
      waiting = waiting.filter((report) => report.token !== token);
      if (inWriting.has(token)) forgotten.add(token);
      secondLooks.add(token);
      return kept.forget(token, inWriting.has(token) || waiting.length < before);
    },
    /** Writes what has come since the last time. What cannot be written waits for the next. */
    async flush() {
      forgotten.clear();
      await secondLooks.run(kept.forget);
      // Excludes events that arrive meanwhile: they come next.
      for (let batches = Math.ceil(waiting.length / batchSize); batches > 0; batches -= 1) {
        await writeSome();
        await yieldToEventLoop();
      }
    },
  };
}
