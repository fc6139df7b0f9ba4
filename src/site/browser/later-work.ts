const idleLimitMs = 2000;

/** Calls back when the browser is idle, or after two seconds. */
export function whenIdle(callback: () => void): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(callback, { timeout: idleLimitMs });
  else setTimeout(callback, idleLimitMs);
}

let gesture: Promise<void> | undefined;

/** Resolves at the visitor's first scroll, touch, pointer movement or key press after the first call. */
export function firstGesture(): Promise<void> {
  gesture ??= new Promise((resolve) => {
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'scroll'])
      addEventListener(type, () => resolve(), { once: true, passive: true });
  });
  return gesture;
}
