import type { MouseEvent } from 'react';

/** Whether a link was simply followed: with a key held or another button, what comes of it is the browser's to say. */
export const isPlainClick = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
