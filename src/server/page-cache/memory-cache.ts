import type { DroppedEntries, LabelledEntry, SharedCache } from '../../stores/contracts/shared-cache.ts';
import { createBoundedStore } from './bounded-store.ts';

/** Texts in the memory of one process. @param now monotonic clock in ms */
export function createMemoryCache(maxBytes: number, now?: () => number): SharedCache {
  const texts = createBoundedStore<Buffer>({
    maxBytes,
    bytesOf: (text) => text.length,
    ...(now !== undefined && { now }),
  });
  const listeners = new Set<(dropped: DroppedEntries) => void>();
  let generation = 0;

  function forget(dropped: DroppedEntries): number {
    if (dropped === 'all') return texts.clear();
    return 'keys' in dropped ? texts.delete(dropped.keys) : texts.deleteBySuffix(dropped.suffixes);
  }

  return {
    get generation() {
      return generation;
    },
    async get(key) {
      const kept = texts.get(key);
      return kept === undefined ? null : ({ text: kept.value, label: kept.version } satisfies LabelledEntry);
    },
    async keep(key, { text, label }, lifeMs, since) {
      if (since === generation) texts.set(key, { value: text, version: label }, lifeMs);
    },
    labels: async () => texts.versions(),
    async drop(dropped) {
      generation += 1;
      const count = forget(dropped);
      for (const listener of listeners) listener(dropped);
      return count;
    },
    onDrop: (listener) => void listeners.add(listener),
  };
}
