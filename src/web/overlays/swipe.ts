import type { PointerEvent } from 'react';
import { useRef, useState } from 'react';

/** A finger that has gone as far as this has thrown something away; pixels. */
const awayPx = 72;

/**
 * Lets a finger push something out to the side; it follows the finger, and comes back when that stops halfway. Needs
 * `touch-action: pan-y`.
 * @returns how far it is from its place, in pixels, and what listens
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
