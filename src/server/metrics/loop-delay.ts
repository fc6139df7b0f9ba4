/** How late the event loop is. */
export interface LoopDelay {
  /** Of its last turns: ms that something had to wait that should have been done. */
  readonly delayMs: number;
}

const everyMs = 20;

/** Watches how late the event loop is, for as long as the process lives. */
export function watchLoopDelay(): LoopDelay {
  let expected = performance.now() + everyMs;
  let latest = 0;
  let before = 0;
  setInterval(() => {
    const now = performance.now();
    before = latest;
    latest = Math.max(0, now - expected);
    expected = now + everyMs;
  }, everyMs).unref();
  return {
    get delayMs() {
      return Math.max(latest, before);
    },
  };
}
