import { LRUCache } from 'lru-cache';
import type { DroppedEntries, LabelledEntry, SharedCache } from '../../stores/contracts/shared-cache.ts';

interface BoundedStoreOptions<Value> {
  readonly maxBytes: number;
  /** Bound for one value. */
  readonly bytesOf: (value: Value) => number;
  /** Monotonic clock in ms. */
  readonly now?: (() => number) | undefined;
}

/** Cost of an entry besides its value and its key. */
const overheadBytes = 500;

/** Keys and values in memory, limited in bytes: the least recently used entries make room. */
export function createBoundedStore<Value extends object>({
  maxBytes,
  bytesOf,
  now = () => performance.now(),
}: BoundedStoreOptions<Value>) {
  const entries = new LRUCache<string, Value>({
    maxSize: maxBytes,
    // One huge value must not evict all others.
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: (value, key) => bytesOf(value) + 2 * key.length + overheadBytes,
    perf: { now },
    ttlResolution: 0,
  });
  return {
    get: (key: string) => entries.get(key),
    /** @param lifeMs how long it may be used */
    set: (key: string, value: Value, lifeMs: number) => void entries.set(key, value, { ttl: lifeMs }),
    /** @returns how many there were */
    drop(dropped: DroppedEntries): number {
      const matches = (key: string) =>
        dropped === 'all' || ('suffixes' in dropped && dropped.suffixes.some((end) => key.endsWith(end)));
      const keys =
        dropped !== 'all' && 'keys' in dropped ? dropped.keys : [...entries.keys()].filter(matches);
      return keys.filter((key) => entries.delete(key)).length;
    },
    entries: () => entries.entries(),
    get bytes() {
      return entries.calculatedSize;
    },
  };
}

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
