import type { SharedWork, WorkResult } from '../shared-work.ts';

/** A single flight in memory for tests: each holder stands for one of several instances in this process. */
export function createMemoryWork(now: () => number = () => performance.now()): SharedWork {
  const kept = new Map<string, { text: string; until: number }>();
  const running = new Map<string, Promise<WorkResult | null>>();

  async function lead(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<WorkResult>) {
    const result = work(signal);
    const told = result.catch(() => null);
    running.set(key, told);
    try {
      const { text, keepMs } = await result;
      if (keepMs > 0) kept.set(key, { text, until: now() + keepMs });
      return { text, isShared: false };
    } finally {
      running.delete(key);
    }
  }

  return {
    async run(key, signal, work) {
      for (;;) {
        signal.throwIfAborted();
        const found = kept.get(key);
        if (found !== undefined && found.until > now()) return { text: found.text, isShared: true };
        const others = running.get(key);
        if (others === undefined) return lead(key, signal, work);
        const left = Promise.withResolvers<never>();
        left.promise.catch(() => {});
        signal.addEventListener('abort', () => left.reject(signal.reason), { once: true });
        const result = await Promise.race([others, left.promise]);
        if (result !== null) return { text: result.text, isShared: true };
      }
    },
    async put(key, { text, keepMs }) {
      kept.set(key, { text, until: now() + keepMs });
    },
  };
}
