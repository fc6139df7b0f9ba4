import type { ConversionOwner, ConversionState, ConversionStore } from '../../contracts/conversion-store.ts';
import { createStateWatch } from './state-watch.ts';

/** How long a polling client can still read the outcome of a conversion without a file. */
const rememberMs = 60_000;
const maxOutcomes = 1000;

/** The conversions' outcomes, remembered for a minute. @param now ms since any moment */
function createOutcomes(now: () => number) {
  const outcomes = new Map<string, { state: ConversionState; until: number; number: number }>();
  let latest = 0;
  return {
    set(key: string, state: ConversionState) {
      outcomes.delete(key);
      outcomes.set(key, { state, until: now() + rememberMs, number: ++latest });
      for (const [oldest, { until }] of outcomes) {
        if (until > now() && outcomes.size <= maxOutcomes) break;
        outcomes.delete(oldest);
      }
    },
    /** @param after only an outcome later than this {@link latest} counts; every one when left out */
    get(key: string, after: number = 0) {
      const outcome = outcomes.get(key);
      return outcome === undefined || outcome.until <= now() || outcome.number <= after
        ? null
        : outcome.state;
    },
    /** Counts the outcomes, which distinguishes later ones from earlier ones. */
    get latest() {
      return latest;
    },
    delete: (key: string) => void outcomes.delete(key),
  };
}

/** Between two reports of progress to one watcher. */
const progressIntervalMs = 200;

export interface ConversionStoreOptions {
  /** ms since any moment */
  readonly now: () => number;
}

/** The conversions of this process. */
export function createConversionStore({ now }: ConversionStoreOptions): ConversionStore {
  /** By key, in the order in which they began. */
  const owners = new Map<string, ConversionOwner[]>();
  const outcomes = createOutcomes(now);
  const watch = createStateWatch(progressIntervalMs);
  const present = (key: string): ConversionState | null => owners.get(key)?.[0]?.state() ?? null;

  return {
    async begin(key, owner) {
      owners.set(key, [...(owners.get(key) ?? []), owner]);
      outcomes.delete(key);
      watch.changed(key, true);
      return {
        changed: (urgent) => watch.changed(key, urgent),
        end(last) {
          const all = owners.get(key) ?? [];
          const others = all.filter((one) => one !== owner);
          if (others.length === all.length) return;
          if (others.length > 0) owners.set(key, others);
          else owners.delete(key);
          if (others.length === 0 && last !== null) outcomes.set(key, last);
          watch.changed(key, true);
        },
      };
    },

    state: async (key) => present(key) ?? outcomes.get(key),

    watch(key, signal) {
      // A client that retries watches the new conversion, perhaps before it begins.
      const before = outcomes.latest;
      return watch.watch(key, () => present(key) ?? outcomes.get(key, before), signal);
    },

    async cancel(key, waiter) {
      const cancelled = (owners.get(key) ?? []).map((owner) => owner.cancel(waiter));
      return cancelled.includes(true);
    },
  };
}
