import { LRUCache } from 'lru-cache';

/** A stored value, and the build that made it. */
interface StoredEntry<Value> {
  readonly value: Value;
  /** Build time, as the protocol's `ts`. */
  readonly version: string;
}

export interface BoundedStoreOptions<Value> {
  readonly maxBytes: number;
  /** Bound for one value. */
  readonly bytesOf: (value: Value) => number;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
}

/** Cost of an entry besides its value and its key. */
const overheadBytes = 500;

/** Keys and values in memory, limited in bytes: the least recently used entries make room. */
export interface BoundedStore<Value> {
  get(key: string): StoredEntry<Value> | undefined;
  /** @param lifeMs how long it may be used */
  set(key: string, kept: StoredEntry<Value>, lifeMs: number): void;
  /** @returns how many there were */
  delete(keys: readonly string[]): number;
  deleteBySuffix(suffixes: readonly string[]): number;
  clear(): number;
  keys(): string[];
  /** The build of each value, by key. */
  versions(): Map<string, string>;
  readonly bytes: number;
}

/** Makes an empty one. */
export function createBoundedStore<Value>(options: BoundedStoreOptions<Value>): BoundedStore<Value> {
  const { maxBytes, bytesOf, now = () => performance.now() } = options;
  const entries = new LRUCache<string, StoredEntry<Value>>({
    maxSize: maxBytes,
    // One huge value must not evict all others.
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: ({ value }, key) => bytesOf(value) + 2 * key.length + overheadBytes,
    perf: { now },
    ttlResolution: 0,
  });
  const deleteWhere = (matches: (key: string, kept: StoredEntry<Value>) => boolean) => {
    let count = 0;
    for (const [key, kept] of [...entries.entries()])
      if (matches(key, kept) && entries.delete(key)) count += 1;
    return count;
  };
  return {
    get: (key) => entries.get(key),
    set: (key, kept, lifeMs) => void entries.set(key, kept, { ttl: lifeMs }),
    delete: (keys) => keys.filter((key) => entries.delete(key)).length,
    deleteBySuffix: (suffixes) => deleteWhere((key) => suffixes.some((suffix) => key.endsWith(suffix))),
    clear: () => deleteWhere(() => true),
    keys: () => [...entries.keys()],
    versions: () => new Map([...entries.entries()].map(([key, { version }]) => [key, version])),
    get bytes() {
      return entries.calculatedSize;
    },
  };
}
