import { useEffect, useEffectEvent } from 'react';

/** Elements that Escape closes, the topmost last. */
const open: (() => void)[] = [];

function closeTop(event: KeyboardEvent): void {
  // An open menu or dialog is above everything here, and closes by itself.
  if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog:modal')) return;
  open.at(-1)?.();
}

/**
 * Lets Escape close an element above the page, unless another is on top of it.
 * @param isOpen whether it can be closed
 */
export function useEscape(isOpen: boolean, close: () => void): void {
  const onEscape = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const entry = () => onEscape();
    if (open.push(entry) === 1) document.addEventListener('keydown', closeTop);
    return () => {
      open.splice(open.indexOf(entry), 1);
      if (open.length === 0) document.removeEventListener('keydown', closeTop);
    };
  }, [isOpen]);
}

/** Moves the focus to the page's content if a closing element has it. */
export function leaveFocus(element: Element | null): void {
  if (element?.contains(document.activeElement))
    document.getElementById('content')?.focus({ preventScroll: true });
}
