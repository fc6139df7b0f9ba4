/** Lets somebody who looks again and again be told to look now. */
export interface Nudge {
  now(): void;
  /** Resolves when there was a nudge since the last time, after this time in ms, or with the signal. */
  within(limitMs: number): Promise<void>;
  /** Lets go of the signal. */
  end(): void;
}

/** @param signal ends every waiting; does not reject */
export function createNudge(signal: AbortSignal): Nudge {
  let isDue = false;
  let resume = () => {};
  const now = () => {
    isDue = true;
    resume();
  };
  signal.addEventListener('abort', now, { once: true });
  return {
    now,
    async within(limitMs) {
      if (!isDue && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, limitMs);
        resume = resolve;
        await promise;
        clearTimeout(timer);
      }
      isDue = false;
    },
    end: () => signal.removeEventListener('abort', now),
  };
}
