/** Bytes that everything together may hold in memory; taken and given back by whoever needs some. */
export interface MemoryBudget {
  /** False when there is not that much left; nothing is taken then. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  readonly used: number;
}

/** @param maxBytes of all takers together */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
    },
    get used() {
      return used;
    },
  };
}
