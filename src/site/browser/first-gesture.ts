let gesture: Promise<void> | undefined;

/** Resolves at the visitor's first scroll, touch, pointer movement or key press after the first call. */
export function firstGesture(): Promise<void> {
  gesture ??= new Promise((resolve) => {
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'scroll'])
      addEventListener(type, () => resolve(), { once: true, passive: true });
  });
  return gesture;
}
