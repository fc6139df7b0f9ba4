import type { DroppedEntries, LabelledEntry, SharedCache } from '../../stores/contracts/shared-cache.ts';
import { createBoundedStore } from './bounded-store.ts';

/** Texts in the memory of one process. @param now monotonic clock in ms */
export function createMemoryCache(maxBytes: number, now?: () => number): SharedCache {
  const texts = createBoundedStore<LabelledEntry>({ maxBytes, bytesOf: ({ text }) => text.length, now });
  const listeners = new Set<(dropped: DroppedEntries) => void>();
  let generation = 0;
  return {
    get generation() {
      return generation;
    },
    get: async (key) => texts.get(key) ?? null,
    async keep(key, kept, lifeMs, since) {
      if (since === generation) texts.set(key, kept, lifeMs);
    },
    labels: async () => new Map([...texts.entries()].map(([key, { label }]) => [key, label])),
    async drop(dropped) {
      generation += 1;
      const count = texts.drop(dropped);
      for (const listener of listeners) listener(dropped);
      return count;
    },
    onDrop: (listener) => void listeners.add(listener),
  };
}
