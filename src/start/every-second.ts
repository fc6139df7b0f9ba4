/** How often the database is looked at for what others did to it, and views are written. */
const everyMs = 1000;

/**
 * Does something every second, never twice at a time.
 * @param onError told of every failure; the next second tries again
 * @returns ends it, after a last time
 */
export function everySecond(
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = null;
      });
    return running;
  };
  const timer = setInterval(() => void run(), everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
    await run();
  };
}
