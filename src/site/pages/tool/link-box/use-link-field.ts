import { useMemo, useRef } from 'react';

/** The link box's field, for code that fills it from elsewhere on the page. */
export type LinkField = ReturnType<typeof useLinkField>;

/** The field of the link box; always the same object. */
export function useLinkField() {
  const ref = useRef<HTMLInputElement>(null);
  return useMemo(
    () => ({
      ref,
      /** Puts a text into it, as if it were typed. */
      fill(text: string) {
        if (ref.current === null) return;
        // It is one line.
        ref.current.value = text.replace(/\s+/g, ' ');
        ref.current.dispatchEvent(new Event('input', { bubbles: true }));
      },
      focus: (options?: FocusOptions) => ref.current?.focus(options),
    }),
    [],
  );
}
