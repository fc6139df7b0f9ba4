import { type RefObject, useLayoutEffect } from 'react';

/** Keeps a custom property of the document as large as an element is high. @returns ends it, and takes the property away */
function followHeight(element: HTMLElement, property: string): () => void {
  const { style } = document.documentElement;
  const sizes = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`));
  sizes.observe(element);
  return () => {
    sizes.disconnect();
    style.removeProperty(property);
  };
}

/**
 * Publishes the height of the element at the foot of the window to those above it: `--promotion-floor`. There is one
 * such element at a time.
 */
export function useFloor(element: RefObject<HTMLElement | null>, isStanding: boolean): void {
  useLayoutEffect(() => {
    if (isStanding && element.current !== null) return followHeight(element.current, '--promotion-bar');
  }, [element, isStanding]);
}
