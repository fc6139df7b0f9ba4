/** A limit on the bytes held in memory by all users together; each takes and returns its share. */
export interface MemoryBudget {
  /** Returns false, and takes nothing, when too little is left. */
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
