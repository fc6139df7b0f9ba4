import { type RefObject, useLayoutEffect, useState } from 'react';

/** What is never covered: the link box with what is said about it, results, running work, forms, the consent bar, the footer. */
const keptClear = '[data-keep-clear]';
/**
 * What of a guide or a legal text is read, which only a bar at the foot of the window may cover. Told by its classes: a
 * mark on it would be shipped to all pages, this is not.
 */
const reading = '.prose-head h1, .contents, .article-cover, .reading .rich-text > *';
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

/** The box of something kept clear: of titles, and what says so, that of the words, and not of the lines' whole width. */
function boxOf(element: HTMLElement): Box {
  const isWords = element.dataset.keepClear === 'text' || element.localName === 'h1';
  if (!isWords) return element.getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(element);
  return words.getBoundingClientRect();
}

function isClear(element: Element, isBeside: boolean): boolean {
  if (isTypingByTouch()) return false;
  const box = element.getBoundingClientRect();
  const clear = document.querySelectorAll<HTMLElement>(isBeside ? `${keptClear}, ${reading}` : keptClear);
  return ![...clear].some((one) => meets(box, boxOf(one)));
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
 * @param isBeside whether it has room beside what is read, and keeps clear of that too
 * @param size looked at again when it has changed
 */
export function useClearance(element: RefObject<Element | null>, isBeside: boolean, size = 0): boolean {
  const [clear, setClear] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a size that changes with styles alone is told by nothing else
  useLayoutEffect(() => {
    const look = () => setClear(element.current !== null && isClear(element.current, isBeside));
    look();
    return watchLayout(look);
  }, [element, isBeside, size]);
  return clear;
}
