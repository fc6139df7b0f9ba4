import type { ConversionStatus } from './contracts.ts';

/** How long somebody who polls can still learn how a conversion ended that left no file. */
const rememberMs = 60_000;
const maxOutcomes = 1000;

/** How conversions ended, remembered for a minute. */
export interface Outcomes {
  set(key: string, status: ConversionStatus): void;
  get(key: string): ConversionStatus | null;
  delete(key: string): void;
}

/** @param now ms since the epoch */
export function createOutcomes(now: () => number): Outcomes {
  const outcomes = new Map<string, { status: ConversionStatus; until: number }>();
  return {
    set(key, status) {
      outcomes.delete(key);
      outcomes.set(key, { status, until: now() + rememberMs });
      for (const [oldest, { until }] of outcomes) {
        if (until > now() && outcomes.size <= maxOutcomes) break;
        outcomes.delete(oldest);
      }
    },
    get(key) {
      const outcome = outcomes.get(key);
      return outcome === undefined || outcome.until <= now() ? null : outcome.status;
    },
    delete: (key) => void outcomes.delete(key),
  };
}
