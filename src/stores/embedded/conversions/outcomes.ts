import type { ConversionState } from '../../contracts/conversion-store.ts';

/** How long a polling client can still read the outcome of a conversion without a file. */
const rememberMs = 60_000;
const maxOutcomes = 1000;

/** The conversions' outcomes, remembered for a minute. */
export interface Outcomes {
  set(key: string, state: ConversionState): void;
  /** @param after only an outcome later than this {@link latest} counts; every one when left out */
  get(key: string, after?: number): ConversionState | null;
  /** Counts the outcomes, which distinguishes later ones from earlier ones. */
  readonly latest: number;
  delete(key: string): void;
}

/** @param now ms since any moment */
export function createOutcomes(now: () => number): Outcomes {
  const outcomes = new Map<string, { state: ConversionState; until: number; number: number }>();
  let latest = 0;
  return {
    set(key, state) {
      outcomes.delete(key);
      outcomes.set(key, { state, until: now() + rememberMs, number: ++latest });
      for (const [oldest, { until }] of outcomes) {
        if (until > now() && outcomes.size <= maxOutcomes) break;
        outcomes.delete(oldest);
      }
    },
    get(key, after = 0) {
      const outcome = outcomes.get(key);
      return outcome === undefined || outcome.until <= now() || outcome.number <= after
        ? null
        : outcome.state;
    },
    get latest() {
      return latest;
    },
    delete: (key) => void outcomes.delete(key),
  };
}
