import { trackedSelector } from './link-events.ts';

const debounceMs = 500;
const hoverMs = 500;
const rescanMs = 500;
const half = 0.5;

/** A visitor's interaction with an element. */
export type Interaction = 'click' | 'hover' | 'exposure';

const trackedOf = ({ target }: Event): Element | null =>
  target instanceof Element ? target.closest(`${trackedSelector},a[href^="http"]`) : null;

/**
 * Watches clicks (several at once count as one), the pointer resting on an element, and elements that are half in view,
 * each once. Handlers only record; interpretation comes later. Reports after the signal's end are dropped.
 * @returns a function that reports pending clicks at once
 */
export function watchInteractions(
  onInteraction: (what: Interaction, element: Element) => void,
  signal: AbortSignal,
): () => void {
  const clicked = new Map<Element, ReturnType<typeof setTimeout>>();
  const seen = new WeakSet<Element>();
  const options = { signal, capture: true };
  let hover: ReturnType<typeof setTimeout> | undefined;

  function settle(element: Element): void {
    clearTimeout(clicked.get(element));
    if (clicked.delete(element)) onInteraction('click', element);
  }

  function click(event: Event): void {
    const element = trackedOf(event);
    if (!element) return;
    clearTimeout(clicked.get(element));
    clicked.set(element, setTimeout(settle, debounceMs, element));
  }

  addEventListener('click', click, options);
  addEventListener('auxclick', click, options);
  addEventListener(
    'pointerover',
    (event) => {
      clearTimeout(hover);
      const element = (event as PointerEvent).pointerType === 'mouse' ? trackedOf(event) : null;
      if (element) hover = setTimeout(onInteraction, hoverMs, 'hover', element);
    },
    options,
  );

  const views = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || seen.has(target)) continue;
        seen.add(target);
        views.unobserve(target);
        onInteraction('exposure', target);
      }
    },
    { threshold: half },
  );
  const scan = () => {
    for (const element of document.querySelectorAll(trackedSelector))
      if (!seen.has(element)) views.observe(element);
  };
  whenChanged(rescanMs, scan, signal);
  signal.addEventListener('abort', () => views.disconnect());
  return () => {
    for (const element of clicked.keys()) settle(element);
  };
}

/**
 * Calls back some time after now, and after the page's content has changed; once for all changes meanwhile.
 * @param signal ends it
 */
export function whenChanged(delayMs: number, callback: () => void, signal: AbortSignal): void {
  let isWaiting = false;
  const run = () => {
    isWaiting = false;
    if (!signal.aborted) callback();
  };
  const wait = () => {
    if (!isWaiting) setTimeout(run, delayMs);
    isWaiting = true;
  };
  const changes = new MutationObserver(wait);
  changes.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => changes.disconnect());
  wait();
}
