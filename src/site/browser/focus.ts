import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useMounted } from './mounted.ts';

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

/**
 * Moves the focus to an error message when it appears, if the focus is on the control that caused it, or nowhere. The
 * focus stays with a visitor who types or has moved on, and when the page came with the error.
 * @param isAwaited whether the visitor waits for nothing else on the page
 * @returns a ref for an element with `tabIndex={-1}`
 */
export function useErrorFocus<Element extends HTMLElement>(isAwaited = false): RefObject<Element | null> {
  const message = useRef<Element>(null);
  const isOfDocument = useRef(!useMounted());
  useEffect(() => {
    const { activeElement, body } = document;
    if (isOfDocument.current || activeElement?.matches('a, button, summary, body') === false) return;
    const part = isAwaited ? body : message.current?.closest('.option, li, form, fieldset');
    const isNear = activeElement === null || activeElement === body || part?.contains(activeElement) === true;
    if (isNear) message.current?.focus({ preventScroll: true });
  }, [isAwaited]);
  return message;
}
