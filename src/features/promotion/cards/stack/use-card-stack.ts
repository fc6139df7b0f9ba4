import { useEffect, useRef, useState } from 'react';
import { rememberClosed, wasClosed } from '../../../../web/visitors/stored/closed.ts';
import { type CardStack, createCardStack, type StackedCard } from './card-stack.ts';

/**
 * The cards that are on the screen.
 * @param ids of the cards that the page may show, in their order; another list is another page's
 */
export function useCardStack(
  ids: readonly string[],
  { isPhone, isPaused }: { readonly isPhone: boolean; readonly isPaused: boolean },
) {
  const [cards, setCards] = useState<readonly StackedCard[]>([]);
  const stack = useRef<CardStack>(null);
  useEffect(() => {
    const made = createCardStack({ isPhone, isPaused: true, isClosed: wasClosed, changed: setCards });
    stack.current = made;
    return () => {
      made.end();
      setCards([]);
    };
  }, [isPhone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stack for another width is dealt the cards, too
  useEffect(() => stack.current?.deal(ids), [ids, isPhone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => stack.current?.setPaused(isPaused), [isPaused, isPhone]);
  return {
    cards,
    close(id: string): void {
      rememberClosed(id);
      stack.current?.close(id);
    },
  };
}
