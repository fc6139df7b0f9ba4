import type { MouseEvent } from 'react';

/**
 * Whether a click is an ordinary one: with a modifier key or another button, the browser decides what it does.
 */
export const isPlainClick = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;

/** Handles the ordinary clicks on a link in its place. */
export const onPlainClick = (act: () => void) => (event: MouseEvent) => {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  act();
};
