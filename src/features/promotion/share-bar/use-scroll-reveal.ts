import { useEffect, useState } from 'react';

/** The visitor has come to read: scrolling counts from here on. */
const startDelayMs = 5000;
const hideDelayMs = 200;

/**
 * Whether to show an element: after five seconds scrolling shows it, and 200 ms after the last scrolling it hides again.
 * @param isOn whether it comes and goes; otherwise it is always shown
 * @param isHeld whether it is in use, and does not hide
 */
export function useScrollReveal(isOn: boolean, isHeld: boolean): boolean {
  /** When the page was scrolled; null once the element is hidden. */
  const [scrolledAt, setScrolledAt] = useState<number | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const ended = new AbortController();
    const options = { passive: true, signal: ended.signal };
    const starting = setTimeout(
      () => addEventListener('scroll', ({ timeStamp }) => setScrolledAt(timeStamp), options),
      startDelayMs,
    );
    return () => {
      clearTimeout(starting);
      ended.abort();
    };
  }, [isOn]);
  useEffect(() => {
    if (scrolledAt === null || isHeld) return;
    const hiding = setTimeout(setScrolledAt, hideDelayMs, null);
    return () => clearTimeout(hiding);
  }, [scrolledAt, isHeld]);
  return scrolledAt !== null || !isOn;
}
