import { EventEmitter, once } from 'node:events';
import {
  type ConversionOwner,
  type ConversionState,
  type ConversionStore,
  isFinal,
  isSameState,
  rememberMs,
} from '../contracts/conversion-store.ts';

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

/** Watchers look for progress this often; they are told of another state at once. */
const progressIntervalMs = 200;

/** The conversions of this process. @param options `now` in ms since any moment */
export function createConversionStore({ now }: { readonly now: () => number }): ConversionStore {
  /** By key, in the order in which they began. */
  const owners = new Map<string, ConversionOwner[]>();
  const outcomes = createOutcomes(now);
  /** Tells, by key, that a state is another one. */
  const changes = new EventEmitter().setMaxListeners(0);
  const present = (key: string): ConversionState | null => owners.get(key)?.[0]?.state() ?? null;

  return {
    async begin(key, owner) {
      owners.set(key, [...(owners.get(key) ?? []), owner]);
      outcomes.delete(key);
      changes.emit(key);
      return {
        changed: (urgent) => void (urgent && changes.emit(key)),
        end(last) {
          const all = owners.get(key) ?? [];
          const others = all.filter((one) => one !== owner);
          if (others.length === all.length) return;
          if (others.length > 0) owners.set(key, others);
          else owners.delete(key);
          if (others.length === 0 && last !== null) outcomes.set(key, last);
          changes.emit(key);
        },
      };
    },

    state: async (key) => present(key) ?? outcomes.get(key),

    async *watch(key, signal) {
      // A client that retries watches the new conversion, perhaps before it begins.
      const before = outcomes.latest;
      let last: ConversionState | null | undefined;
      while (!signal.aborted) {
        const current = present(key) ?? outcomes.get(key, before);
        if (last === undefined || !isSameState(last, current)) yield current;
        last = current;
        if (current !== null && isFinal(current)) return;
        const inTime = AbortSignal.any([signal, AbortSignal.timeout(progressIntervalMs)]);
        await once(changes, key, { signal: inTime }).catch(() => undefined);
      }
    },

    async cancel(key, waiter) {
      const cancelled = (owners.get(key) ?? []).map((owner) => owner.cancel(waiter));
      return cancelled.includes(true);
    },
  };
}
