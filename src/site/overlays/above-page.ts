import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';

/**
 * Elements that overlays never cover: the link box with its messages, results, running work, forms, the consent bar. The
 * footer passes over what stays in the window.
 */
const keepClearSelector = '[data-keep-clear]';
/**
 * The readable text of a guide or a legal document, which only a bar at the foot of the window may cover. Selected by
 * classes: a marker attribute would be shipped to all pages.
 */
const reading = '.prose-head h1, .contents, .article-cover, .reading .rich-text > *';
/** Adjacent elements may overlap by this much, since sizes are rounded to whole pixels. */
const tolerance = 1;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Whether two boxes overlap; an empty one covers nothing. */
export const meets = (one: Box, other: Box): boolean =>
  other.right > other.left &&
  other.bottom > other.top &&
  one.left < other.right - tolerance &&
  one.right > other.left + tolerance &&
  one.top < other.bottom - tolerance &&
  one.bottom > other.top + tolerance;

/** Whether a touch keyboard is open: it leaves room for nothing but the field. */
const isTypingByTouch = () =>
  matchMedia('(hover: none)').matches &&
  (document.activeElement?.matches('input, textarea, select') ?? false);

/** The box of a protected element: for titles and marked elements the box of the words, not of the full line width. */
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
  const clear = document.querySelectorAll<HTMLElement>(
    isBeside ? `${keepClearSelector}, ${reading}` : keepClearSelector,
  );
  return ![...clear].some((one) => meets(box, boxOf(one)));
}

/**
 * Calls back, once for a frame, when something may have moved.
 * @returns a function that ends it
 */
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
  // Elements at the foot of the window publish their height there.
  content.observe(document.documentElement, { attributeFilter: ['style'] });
  return () => {
    ended.abort();
    sizes.disconnect();
    content.disconnect();
    cancelAnimationFrame(frame);
  };
}

/**
 * Whether an element above the page covers no protected element. It must keep its box while hidden: only its content is
 * removed.
 * @param isBeside whether it has room beside the text, and must keep clear of that too
 * @param size triggers a new check when it changes
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

/** Elements that Escape closes, the topmost last. */
const open: (() => void)[] = [];

function closeTop(event: KeyboardEvent): void {
  // An open menu or dialog is above everything here, and closes by itself.
  if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog:modal')) return;
  open.at(-1)?.();
}

/**
 * Lets Escape close an element above the page, unless another is on top of it.
 * @param isOpen whether it can be closed
 */
export function useEscape(isOpen: boolean, close: () => void): void {
  const onEscape = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const entry = () => onEscape();
    if (open.push(entry) === 1) document.addEventListener('keydown', closeTop);
    return () => {
      open.splice(open.indexOf(entry), 1);
      if (open.length === 0) document.removeEventListener('keydown', closeTop);
    };
  }, [isOpen]);
}

/** Moves the focus to the page's content if a closing element has it. */
export function leaveFocus(element: Element | null): void {
  if (element?.contains(document.activeElement))
    document.getElementById('content')?.focus({ preventScroll: true });
}
