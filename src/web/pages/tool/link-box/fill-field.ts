import type { RefObject } from 'react';

/** The field of the link box, for whoever fills it from elsewhere on the page. */
export type LinkField = RefObject<HTMLInputElement | null>;

/** Puts a text into the field, as if it were typed. */
export function fillField({ current: field }: LinkField, text: string): void {
  if (field === null) return;
  // It is one line.
  field.value = text.replace(/\s+/g, ' ');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
