/** Timers that stand still together. */
export interface PausableTimers {
  /** Calls back after so much time in which nothing stood still. @param delayMs milliseconds */
  after(delayMs: number, callback: () => void): void;
  /** Stands still, or goes on with what was left. */
  setPaused(isPaused: boolean): void;
  /** Forgets what has not been called yet. */
  clear(): void;
}

interface Waiting {
  leftMs: number;
  startedAtMs: number;
  handle: ReturnType<typeof setTimeout> | undefined;
  readonly callback: () => void;
}

/** Makes timers that run, or that stand still at first. */
export function createPausableTimers(isPaused = false): PausableTimers {
  const waiting = new Set<Waiting>();
  let stands = isPaused;

  function run(timer: Waiting): void {
    timer.startedAtMs = performance.now();
    timer.handle = setTimeout(() => {
      waiting.delete(timer);
      timer.callback();
    }, timer.leftMs);
  }

  function hold(timer: Waiting): void {
    clearTimeout(timer.handle);
    timer.leftMs -= performance.now() - timer.startedAtMs;
  }

  return {
    after(delayMs, callback) {
      const timer = { leftMs: delayMs, startedAtMs: 0, handle: undefined, callback };
      waiting.add(timer);
      if (!stands) run(timer);
    },
    setPaused(next) {
      if (next === stands) return;
      stands = next;
      for (const timer of waiting) (next ? hold : run)(timer);
    },
    clear() {
      for (const { handle } of waiting) clearTimeout(handle);
      waiting.clear();
    },
  };
}
