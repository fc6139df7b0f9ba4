import { type RefObject, useEffect, useRef } from 'react';
import { useMounted } from './mounted.ts';

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
