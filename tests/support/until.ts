import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a state that announces itself by no event, such as another process's open sockets.
 * @throws what the last try said when it did not come about in time
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = 10_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not so in ${limitMs} ms: ${what}`);
    await pause(20);
  }
}
