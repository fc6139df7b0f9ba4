/** @param signal ends every waiting; does not reject */
export function createWakeup(signal: AbortSignal) {
  let isDue = false;
  let resume = () => {};
  const wake = () => {
    isDue = true;
    resume();
  };
  signal.addEventListener('abort', wake, { once: true });
  return {
    signal: wake,
    /** Resolves when there was a signal since the last wait, after this time in ms, or when the abort signal fires. */
    async waitUpTo(limitMs: number) {
      if (!isDue && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, limitMs);
        resume = resolve;
        await promise;
        clearTimeout(timer);
      }
      isDue = false;
    },
    /** Stops listening to the abort signal. */
    end: () => signal.removeEventListener('abort', wake),
  };
}
