import { useEffect, useEffectEvent, useState } from 'react';
import { mentionsPlatform } from '../link-box/typed-links.ts';

/** Elements that accept pasted or dropped text themselves. */
const editable = 'input, textarea, select, [contenteditable]';

const isEditable = (target: EventTarget | null) =>
  target instanceof Element && target.closest(editable) !== null;

interface PageLinks {
  /** Called with pasted or dropped files. */
  onFiles(files: readonly File[]): void;
  /** Called with a link to look up. */
  onLink(text: string): void;
  /** Called with a text without a link: it goes into the box for the visitor to check. */
  onText(text: string): void;
}

/**
 * Accepts a link that is pasted or dropped anywhere on the page except in text fields: browsers would otherwise
 * navigate to a link dropped beside the box.
 * @returns whether a possible link is being dragged over the page
 */
export function usePageLinks({ onFiles, onLink, onText }: PageLinks): boolean {
  const [isHeld, setIsHeld] = useState(false);
  const take = useEffectEvent((given: string) => {
    const text = given.trim();
    if (text === '') return;
    if (mentionsPlatform(text)) onLink(text);
    else onText(text);
  });
  const takeFiles = useEffectEvent(onFiles);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    /** Ignores drags that start on this page, such as one of its own links. */
    let isOwn = false;
    let depth = 0;
    const hold = (held: boolean) => {
      depth = held ? depth : 0;
      setIsHeld(held);
    };
    const isTaken = (event: DragEvent) =>
      !isOwn &&
      event.dataTransfer?.types.some((type) => type === 'text/uri-list' || type === 'text/plain') === true;
    /** A browser makes a file of a picture of this page, too. */
    const hasFiles = (event: DragEvent) => !isOwn && event.dataTransfer?.types.includes('Files') === true;

    const on = <K extends keyof DocumentEventMap>(name: K, act: (event: DocumentEventMap[K]) => void) =>
      document.addEventListener(name, act, { signal });
    on('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) takeFiles(files);
      if (event.defaultPrevented || isEditable(event.target) || files.length > 0) return;
      take(event.clipboardData?.getData('text') ?? '');
    });
    on('dragstart', () => (isOwn = true));
    on('dragend', () => (isOwn = false));
    on('dragenter', (event) => {
      if (!isTaken(event)) return;
      depth += 1;
      hold(true);
    });
    on('dragleave', (event) => {
      if (!isTaken(event)) return;
      depth -= 1;
      if (depth <= 0) hold(false);
    });
    on('dragover', (event) => {
      if (isTaken(event) || hasFiles(event)) event.preventDefault();
    });
    on('drop', (event) => {
      hold(false);
      const files = hasFiles(event) ? [...(event.dataTransfer?.files ?? [])] : [];
      if (files.length > 0) {
        event.preventDefault();
        takeFiles(files);
      }
      if (!isTaken(event) || files.length > 0) return;
      event.preventDefault();
      const { dataTransfer } = event;
      take(dataTransfer?.getData('text/uri-list') || dataTransfer?.getData('text/plain') || '');
    });
    return () => ended.abort();
  }, []);
  return isHeld;
}
