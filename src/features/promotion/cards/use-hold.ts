import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether the mouse or the focus is on an element. @returns also the element that had the focus before */
export function useHold(element: RefObject<Element | null>) {
  const [isUnderMouse, setIsUnderMouse] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const before = useRef<HTMLElement>(null);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && element.current?.contains(target) === true;
    const over = ({ target, pointerType }: PointerEvent) =>
      setIsUnderMouse(pointerType === 'mouse' && isInside(target));
    document.addEventListener('pointerover', over, { signal, passive: true });
    document.addEventListener(
      'focusin',
      ({ target }) => {
        setHasFocus(isInside(target));
        if (!isInside(target)) before.current = target as HTMLElement;
      },
      { signal },
    );
    document.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (relatedTarget === null) setHasFocus(false);
      },
      { signal },
    );
    return () => ended.abort();
  }, [element]);
  return { isHeld: isUnderMouse || hasFocus, before };
}
