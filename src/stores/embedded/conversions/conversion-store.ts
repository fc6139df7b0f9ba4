import type { ConversionOwner, ConversionStore } from '../../contracts/conversion-store.ts';
import { createOutcomes } from './outcomes.ts';
import { createStateWatch } from './state-watch.ts';

export interface ConversionStoreOptions {
  /** ms since any moment */
  readonly now: () => number;
  /** Between two reports of progress to one watcher. */
  readonly progressIntervalMs?: number;
}

/** The conversions of this process alone. */
export function createConversionStore({
  now,
  progressIntervalMs = 200,
}: ConversionStoreOptions): ConversionStore {
  const owners = new Map<string, ConversionOwner>();
  const outcomes = createOutcomes(now);
  const watch = createStateWatch(progressIntervalMs);

  return {
    async begin(key, owner) {
      if (owners.has(key)) return null;
      owners.set(key, owner);
      outcomes.delete(key);
      watch.changed(key, true);
      return {
        changed: (urgent) => watch.changed(key, urgent),
        end(last) {
          if (owners.get(key) !== owner) return;
          owners.delete(key);
          if (last !== null) outcomes.set(key, last);
          watch.changed(key, true);
        },
      };
    },

    state: async (key) => owners.get(key)?.state() ?? outcomes.get(key),

    watch(key, signal) {
      // Who tries again watches the new conversion, perhaps before it begins.
      const before = outcomes.latest;
      return watch.watch(key, () => owners.get(key)?.state() ?? outcomes.get(key, before), signal);
    },

    cancel: async (key, visitor) => owners.get(key)?.cancel(visitor) ?? false,
  };
}
