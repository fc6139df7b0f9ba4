import type { PointerEvent } from 'react';
import { useRef, useState } from 'react';

/** A finger that has gone as far as this has thrown something away; pixels. */
const awayPx = 72;

/**
 * Lets a finger swipe an element out to the side; it follows the finger, and returns when the swipe stops halfway.
 * Needs `touch-action: pan-y`.
 * @returns its offset in pixels, and the event handlers
 */
export function useSwipe(onAway: () => void) {
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
        const isAway = Math.abs(clientX - start.current.x) >= awayPx;
        end();
        if (isAway) onAway();
      },
      onPointerCancel: end,
    },
  };
}
