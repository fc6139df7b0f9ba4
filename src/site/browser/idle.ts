const idleLimitMs = 2000;

/** Calls back when the browser is idle, or after two seconds. */
export function whenIdle(callback: () => void): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(callback, { timeout: idleLimitMs });
  else setTimeout(callback, idleLimitMs);
}
