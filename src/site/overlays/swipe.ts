import { type PointerEvent, useRef, useState } from 'react';

/** Distance in pixels from which on a swipe counts. */
const awayPx = 72;

/**
 * Lets a finger swipe an element out to the side; it follows the finger, and returns when the swipe stops halfway.
 * Needs `touch-action: pan-y`.
 * @param onAway called with -1 for a swipe to the left, 1 to the right
 * @returns its offset in pixels, and the event handlers
 */
export function useSwipe(onAway: (direction: -1 | 1) => void) {
  const [offset, setOffset] = useState(0);
  const start = useRef<{ readonly id: number; readonly x: number } | null>(null);
  const end = () => {
    start.current = null;
    setOffset(0);
  };
  return {
    offset,
    handlers: {
      onPointerDown: ({ pointerId, pointerType, isPrimary, clientX }: PointerEvent) => {
        if (pointerType !== 'mouse' && isPrimary) start.current = { id: pointerId, x: clientX };
      },
      onPointerMove: ({ pointerId, clientX }: PointerEvent) => {
        if (start.current?.id === pointerId) setOffset(clientX - start.current.x);
      },
      onPointerUp: ({ pointerId, clientX }: PointerEvent) => {
        if (start.current?.id !== pointerId) return;
        const wayPx = clientX - start.current.x;
        end();
        if (Math.abs(wayPx) >= awayPx) onAway(wayPx < 0 ? -1 : 1);
      },
      onPointerCancel: end,
    },
  };
}
