import { type RefObject, useEffect, useRef } from 'react';
import { useMounted } from './mounted.ts';

/**
 * Moves the focus to what says an error when it appears: from what was pressed for it, or from nowhere where that is gone.
 * Somebody who types, or has gone on to another part of the page, is left there; so is the reader of a page that came
 * with it.
 * @param isAwaited whether the visitor waits for nothing else on the page
 * @returns to put on an element with `tabIndex={-1}`
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
