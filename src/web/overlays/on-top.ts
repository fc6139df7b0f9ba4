import { useEffect, useEffectEvent } from 'react';

/** What Escape closes, the topmost last. */
const open: (() => void)[] = [];

function closeTop(event: KeyboardEvent): void {
  // A menu or a dialog that is open lies above everything here, and closes by itself.
  if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog:modal')) return;
  open.at(-1)?.();
}

/**
 * Has Escape close something that stands above the page, unless something else lies on top of it.
 * @param isOpen whether there is something to close
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
