import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a state without an event, such as another process's open sockets.
 * @throws the last attempt's error on timeout
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = 10_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  // Checking takes processor time from the process it waits for, and more of it the longer that takes.
  for (let delayMs = 10; !(await holds()); delayMs = Math.min(1.5 * delayMs, 100)) {
    if (performance.now() > end) throw new Error(`not so in ${limitMs} ms: ${what}`);
    await pause(delayMs);
  }
}
