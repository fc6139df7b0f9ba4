import type { MakeRateCounters } from '../contracts/rate-counters.ts';

/**
 * Visitors, and blocks, of a limit that are remembered. Beyond it the earliest begin anew: whoever pushes others out
 * has as many addresses, each with tries of its own.
 */
const mostRemembered = 100_000;

interface Period {
  spent: number;
  /** ms, by a clock that nobody sets */
  readonly end: number;
}

/** Counts by name in periods of one length, each from its first try on. @param lengthMs of a period */
function createPeriods(tries: number, lengthMs: number) {
  /** All last equally long, so that the first to begin is the first to end. */
  const periods = new Map<string, Period>();
  function current(name: string, now: number): Period | undefined {
    for (const [first, { end }] of periods) {
      if (end > now && periods.size < mostRemembered) break;
      periods.delete(first);
    }
    return periods.get(name);
  }
  const waitMs = ({ spent, end }: Period, most: number, now: number) =>
    spent > most ? Math.max(1, Math.ceil(end - now)) : 0;
  return {
    spend(name: string, points: number): number {
      const now = performance.now();
      const period = current(name, now) ?? { spent: 0, end: now + lengthMs };
      period.spent += points;
      periods.set(name, period);
      return waitMs(period, tries, now);
    },
    look(name: string): number {
      const now = performance.now();
      const period = current(name, now);
      return period === undefined ? 0 : waitMs(period, tries - 1, now);
    },
  };
}

/** Counts tries in this process only, in bounded memory. */
export const countHere: MakeRateCounters = (_, tries, periodS) => {
  const visitors = createPeriods(tries.visitor, periodS * 1000);
  const blocks = createPeriods(tries.block, periodS * 1000);
  return {
    spend: async ({ key, block }, points = 1) => visitors.spend(key, points) || blocks.spend(block, points),
    look: async ({ key, block }) => visitors.look(key) || blocks.look(block),
  };
};
