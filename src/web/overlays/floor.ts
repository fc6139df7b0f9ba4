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
 * Has what stands above it know how high something at the foot of the window is: `--promotion-floor`. There is one such
 * thing at a time.
 */
export function useFloor(element: RefObject<HTMLElement | null>, isStanding: boolean): void {
  useLayoutEffect(() => {
    if (isStanding && element.current !== null) return followHeight(element.current, '--promotion-bar');
  }, [element, isStanding]);
}

/**
 * Has what stands above the consent bar know how high that is, where there is room for both.
 * @param property of the document
 */
export function useConsentFloor(isRoom: boolean, property: string): void {
  useLayoutEffect(() => {
    const bar = document.getElementById('consent');
    if (isRoom && bar !== null) return followHeight(bar, property);
  }, [isRoom, property]);
}
