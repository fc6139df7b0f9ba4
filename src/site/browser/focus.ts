import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Opens the disclosure that contains a link's target: browsers do so when they load a page, but not on a page change.
 */
export function useRevealedTarget(): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link clicked again opens it again
  useEffect(() => {
    if (hash === '') return;
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    const closed = target?.closest<HTMLDetailsElement>('details:not([open])');
    if (closed === null || closed === undefined) return;
    closed.open = true;
    target?.scrollIntoView();
  }, [hash, key]);
}

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
