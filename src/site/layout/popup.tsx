import { type ReactNode, useCallback } from 'react';
import { useLocation } from 'react-router';

interface PopupProps {
  className?: string;
  /** The button's content; also give `label` when it is only a picture. */
  summary: ReactNode;
  label?: string;
  /** Popups of one group close each other. */
  group: string;
  /** Also opens when the mouse rests on it. */
  opensOnHover?: boolean;
  /** Also opens on keyboard focus. */
  opensOnFocus?: boolean;
  children: ReactNode;
}

const leaveDelayMs = 150;

/**
 * A popup above the page. It is a native disclosure: without scripts it opens and closes by click, touch and keyboard;
 * with scripts also on hover, and it closes on Escape, on a click elsewhere and when the page changes.
 */
export function Popup({ className = '', summary, label, group, children, ...ways }: PopupProps) {
  const { opensOnHover = false, opensOnFocus = false } = ways;
  // A new page starts with its menus closed.
  const { key } = useLocation();
  const attach = useCallback(
    (element: HTMLDetailsElement) => attachTo(element, opensOnHover, opensOnFocus),
    [opensOnHover, opensOnFocus],
  );
  return (
    <details key={key} ref={attach} className={`popup ${className}`} name={group}>
      <summary aria-label={label} title={label}>
        {summary}
      </summary>
      <div className="popup-content">{children}</div>
    </details>
  );
}

/** Adds to a native disclosure what only scripts can do. @returns a function that ends it */
function attachTo(element: HTMLDetailsElement, opensOnHover: boolean, opensOnFocus: boolean): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal };
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (element.open && !element.contains(target as Node)) element.open = false;
    },
    options,
  );
  element.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !element.open) return;
      event.stopPropagation();
      element.open = false;
      element.querySelector('summary')?.focus();
    },
    options,
  );
  element.addEventListener(
    'focusout',
    ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) element.open = false;
    },
    options,
  );
  const summary = element.querySelector('summary');
  if (opensOnFocus)
    summary?.addEventListener(
      'focus',
      () => {
        if (summary.matches(':focus-visible')) element.open = true;
      },
      options,
    );
  if (opensOnHover) openOnHover(element, options);
  return () => listening.abort();
}

function openOnHover(element: HTMLDetailsElement, options: { readonly signal: AbortSignal }): void {
  const summary = element.querySelector('summary');
  let closing: ReturnType<typeof setTimeout> | undefined;
  let openedByHover = false;
  const isMouse = (event: Event) => event instanceof PointerEvent && event.pointerType === 'mouse';

  element.addEventListener(
    'pointerenter',
    (event) => {
      if (!isMouse(event)) return;
      clearTimeout(closing);
      openedByHover ||= !element.open;
      element.open = true;
    },
    options,
  );
  element.addEventListener(
    'pointerleave',
    (event) => {
      if (!isMouse(event)) return;
      // Leaves time for a mouse that cuts a corner towards the list.
      closing = setTimeout(() => {
        openedByHover = false;
        element.open = false;
      }, leaveDelayMs);
    },
    options,
  );
  summary?.addEventListener(
    'click',
    (event) => {
      // Hover opened it just before the click, which must not close it again.
      if (openedByHover && isMouse(event)) event.preventDefault();
      openedByHover = false;
    },
    options,
  );
  options.signal.addEventListener('abort', () => clearTimeout(closing));
}
