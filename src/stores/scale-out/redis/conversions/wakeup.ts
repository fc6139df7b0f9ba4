/** Lets a loop that polls be woken before its next poll. */
export interface Wakeup {
  signal(): void;
  /** Resolves when there was a signal since the last wait, after this time in ms, or when the abort signal fires. */
  waitUpTo(limitMs: number): Promise<void>;
  /** Stops listening to the abort signal. */
  end(): void;
}

/** @param signal ends every waiting; does not reject */
export function createWakeup(signal: AbortSignal): Wakeup {
  let isDue = false;
  let resume = () => {};
  const wake = () => {
    isDue = true;
    resume();
  };
  signal.addEventListener('abort', wake, { once: true });
  return {
    signal: wake,
    async waitUpTo(limitMs) {
      if (!isDue && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, limitMs);
        resume = resolve;
        await promise;
        clearTimeout(timer);
      }
      isDue = false;
    },
    end: () => signal.removeEventListener('abort', wake),
  };
}
