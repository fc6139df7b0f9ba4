import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslate } from '../../../translation.tsx';
import type { LinkField } from '../link-box/use-link-field.ts';
import type { ToolState } from './tool-state.ts';

/** Where the page shows what came of a link. */
interface Places {
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly outcome: RefObject<HTMLElement | null>;
}

/** Announces what came of a link, moves the focus to it, and brings it into sight. @returns to put on the elements */
export function useArrival(state: ToolState, field: LinkField, announce: (message: string) => void): Places {
  const t = useTranslate();
  const heading = useRef<HTMLHeadingElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const outcome = useRef<HTMLElement>(null);
  const isFirst = useRef(true);

  const arrive = useEffectEvent(() => {
    // A result that came with the page or from the history is neither announced nor focused: nobody waits for it here.
    if (state.given) {
      // Keeps text typed before hydration.
      if (!isFirst.current) field.fill(state.text);
    } else if (state.kind === 'ready') {
      const { post } = state.result;
      announce(t('status.ready', { title: post.title || post.author.name }));
      heading.current?.focus({ preventScroll: true });
    } else if (state.kind === 'failed') {
      announce([state.failure.hint, state.failure.message].filter(Boolean).join(' '));
    }
    isFirst.current = false;
    if (!state.given && state.kind !== 'idle') showWithBox(box.current, outcome.current);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each state
  useEffect(() => arrive(), [state]);

  return { heading, box, outcome };
}

/** Brings what came of a link into sight together with the box that it was put into. */
function showWithBox(box: HTMLElement | null, outcome: HTMLElement | null): void {
  const card = outcome?.querySelector('.result');
  const isCut = card != null && card.getBoundingClientRect().bottom > document.documentElement.clientHeight;
  box?.scrollIntoView({ block: isCut ? 'start' : 'nearest' });
}
