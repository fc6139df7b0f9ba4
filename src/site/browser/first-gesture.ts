let gesture: Promise<void> | undefined;

/** Resolves once the visitor has begun to do something with the page, since this was first called: scroll, touch, point, or type. */
export function firstGesture(): Promise<void> {
  gesture ??= new Promise((resolve) => {
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'scroll'])
      addEventListener(type, () => resolve(), { once: true, passive: true });
  });
  return gesture;
}
