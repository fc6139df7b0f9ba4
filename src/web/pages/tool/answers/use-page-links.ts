import { useEffect, useEffectEvent, useState } from 'react';
import { mentionsPlatform } from '../../../browser/typed-links.ts';

/** Where text goes that is pasted or dropped. */
const editable = 'input, textarea, select, [contenteditable]';

const isEditable = (target: EventTarget | null) =>
  target instanceof Element && target.closest(editable) !== null;

interface PageLinks {
  /** Told a link that is to be looked up. */
  onLink(text: string): void;
  /** Told a text without a link: it belongs into the box, for its owner to look at. */
  onText(text: string): void;
}

/**
 * Takes a link that is pasted or dropped anywhere on the page, and not into something that takes text itself: a browser
 * would leave the site for a link that is dropped beside the box.
 * @returns whether something that may be a link is held above the page
 */
export function usePageLinks({ onLink, onText }: PageLinks): boolean {
  const [isHeld, setIsHeld] = useState(false);
  const take = useEffectEvent((given: string) => {
    const text = given.trim();
    if (text === '') return;
    if (mentionsPlatform(text)) onLink(text);
    else onText(text);
  });
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    /** What is dragged from this page, such as one of its own links, is not meant for it. */
    let isOwn = false;
    let depth = 0;
    const hold = (held: boolean) => {
      depth = held ? depth : 0;
      setIsHeld(held);
    };
    const isTaken = (event: DragEvent) =>
      !isOwn &&
      event.dataTransfer?.types.some((type) => type === 'text/uri-list' || type === 'text/plain') === true;

    document.addEventListener(
      'paste',
      (event) => {
        if (event.defaultPrevented || isEditable(event.target)) return;
        take(event.clipboardData?.getData('text') ?? '');
      },
      { signal },
    );
    document.addEventListener('dragstart', () => (isOwn = true), { signal });
    document.addEventListener('dragend', () => (isOwn = false), { signal });
    document.addEventListener(
      'dragenter',
      (event) => {
        if (!isTaken(event)) return;
        depth += 1;
        hold(true);
      },
      { signal },
    );
    document.addEventListener(
      'dragleave',
      (event) => {
        if (!isTaken(event)) return;
        depth -= 1;
        if (depth <= 0) hold(false);
      },
      { signal },
    );
    document.addEventListener('dragover', (event) => isTaken(event) && event.preventDefault(), { signal });
    document.addEventListener(
      'drop',
      (event) => {
        hold(false);
        if (!isTaken(event)) return;
        event.preventDefault();
        const { dataTransfer } = event;
        take(dataTransfer?.getData('text/uri-list') || dataTransfer?.getData('text/plain') || '');
      },
      { signal },
    );
    return () => ended.abort();
  }, []);
  return isHeld;
}
