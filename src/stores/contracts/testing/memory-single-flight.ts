import type { DistributedSingleFlight, FlightResult } from '../distributed-single-flight.ts';

/** A single flight in memory for tests: each holder plays one of several instances in this process. */
export function createMemorySingleFlight(
  now: () => number = () => performance.now(),
): DistributedSingleFlight {
  const kept = new Map<string, { text: string; until: number }>();
  const running = new Map<string, Promise<FlightResult | null>>();

  async function lead(
    key: string,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<FlightResult>,
  ) {
    const result = task(signal);
    const settled = result.catch(() => null);
    running.set(key, settled);
    try {
      const { text, keepMs } = await result;
      if (keepMs > 0) kept.set(key, { text, until: now() + keepMs });
      return { text, isShared: false };
    } finally {
      running.delete(key);
    }
  }

  return {
    async run(key, signal, task) {
      for (;;) {
        signal.throwIfAborted();
        const found = kept.get(key);
        if (found !== undefined && found.until > now()) return { text: found.text, isShared: true };
        const others = running.get(key);
        if (others === undefined) return lead(key, signal, task);
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
