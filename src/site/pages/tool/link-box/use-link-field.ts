import { type RefObject, useMemo, useRef } from 'react';

/** The link box's field, for code that fills it from elsewhere on the page. */
export interface LinkField {
  readonly ref: RefObject<HTMLInputElement | null>;
  /** Puts a text into it, as if it were typed. */
  fill(text: string): void;
  focus(options?: FocusOptions): void;
}

/** The field of the link box; always the same object. */
export function useLinkField(): LinkField {
  const ref = useRef<HTMLInputElement>(null);
  return useMemo(
    () => ({
      ref,
      fill(text) {
        if (ref.current === null) return;
        // It is one line.
        ref.current.value = text.replace(/\s+/g, ' ');
        ref.current.dispatchEvent(new Event('input', { bubbles: true }));
      },
      focus: (options) => ref.current?.focus(options),
    }),
    [],
  );
}
