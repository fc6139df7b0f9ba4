import { type RefObject, useLayoutEffect, useState } from 'react';

/** What is never covered: the link box with what is said about it, results, running work, forms, the consent bar. */
const keptClear = '[data-keep-clear]';
/** Where the edges of two things meet, sizes in whole pixels may overlap by this. */
const tolerance = 1;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Whether two boxes overlap; one without a size covers nothing. */
export const meets = (one: Box, other: Box): boolean =>
  other.right > other.left &&
  other.bottom > other.top &&
  one.left < other.right - tolerance &&
  one.right > other.left + tolerance &&
  one.top < other.bottom - tolerance &&
  one.bottom > other.top + tolerance;

/** On a phone the keyboard leaves little of the window, and all of it is for what is typed. */
const isTypingByTouch = () =>
  matchMedia('(hover: none)').matches &&
  (document.activeElement?.matches('input, textarea, select') ?? false);

/** The box of something kept clear: of a text, which says so, that of its words, and not of its lines' whole width. */
function boxOf(element: HTMLElement): Box {
  if (element.dataset.keepClear !== 'text') return element.getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(element);
  return words.getBoundingClientRect();
}

function isClear(element: Element): boolean {
  if (isTypingByTouch()) return false;
  const box = element.getBoundingClientRect();
  return ![...document.querySelectorAll<HTMLElement>(keptClear)].some((one) => meets(box, boxOf(one)));
}

/** Calls back, once for a frame, when something may have moved. @returns ends it */
function watchLayout(callback: () => void): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal, passive: true };
  let frame = 0;
  const later = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      callback();
    });
  };
  addEventListener('scroll', later, options);
  addEventListener('resize', later, options);
  addEventListener('focusin', later, options);
  addEventListener('focusout', later, options);
  visualViewport?.addEventListener('resize', later, options);
  const sizes = new ResizeObserver(later);
  sizes.observe(document.body);
  const content = new MutationObserver(later);
  content.observe(document.body, { childList: true, subtree: true });
  // What stands at the foot of the window says there how high it is.
  content.observe(document.documentElement, { attributeFilter: ['style'] });
  return () => {
    ended.abort();
    sizes.disconnect();
    content.disconnect();
    cancelAnimationFrame(frame);
  };
}

/**
 * Whether an element that stands above the page covers nothing of what is to be kept clear. It has to keep its place
 * while it is away: what is inside it leaves.
 * @param size looked at again when it has changed
 */
export function useClearance(element: RefObject<Element | null>, size = 0): boolean {
  const [clear, setClear] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a size that changes with styles alone is told by nothing else
  useLayoutEffect(() => {
    const look = () => setClear(element.current !== null && isClear(element.current));
    look();
    return watchLayout(look);
  }, [element, size]);
  return clear;
}
