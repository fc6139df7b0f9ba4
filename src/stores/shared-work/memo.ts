import { LRUCache } from 'lru-cache';

interface MemoOptions<T> {
  /** Values that are kept; beyond it the least recently used one is dropped. */
  readonly max: number;
  readonly ttlMs: number;
  /** Whether a value is kept for later callers; by default each is. */
  readonly keeps?: (made: T) => boolean;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
}

/**
 * Makes each value once for all who ask for it at the same time, and keeps it for a while. Only those who wait get a
 * failure.
 */
export function createMemo<T>({ max, ttlMs, keeps = () => true, now }: MemoOptions<T>) {
  const perf = { now: now ?? (() => performance.now()) };
  const kept = new LRUCache<string, Promise<T>>({ max, ttl: ttlMs, ttlResolution: 0, perf });
  return {
    get(name: string, make: () => Promise<T>): Promise<T> {
      const known = kept.get(name);
      if (known !== undefined) return known;
      const making = make();
      kept.set(name, making);
      const forget = () => {
        if (kept.peek(name) === making) kept.delete(name);
      };
      making.then((made) => keeps(made) || forget(), forget);
      return making;
    },
    clear: () => kept.clear(),
  };
}
