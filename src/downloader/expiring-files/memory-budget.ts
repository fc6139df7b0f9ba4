/** A limit on the bytes held in memory by all users together; each takes and returns its share. */
export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

/** @param maxBytes of all takers together */
export function createMemoryBudget(maxBytes: number) {
  let used = 0;
  return {
    /** Returns false, and takes nothing, when too little is left. */
    take(bytes: number): boolean {
      if (used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    give(bytes: number): void {
      used -= bytes;
    },
    get used(): number {
      return used;
    },
  };
}
