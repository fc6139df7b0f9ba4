import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Moves the focus to a new page's beginning, as loading a document would: screen readers then read from there, and the
 * next Tab goes to the page's first link.
 * @returns the ref of the element that gets it
 */
export function useFocusOnPageChange(): RefObject<HTMLElement | null> {
  const { pathname } = useLocation();
  const element = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    element.current?.focus({ preventScroll: true });
  }, [pathname]);
  return element;
}
