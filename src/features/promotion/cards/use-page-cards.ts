import { useEffect, useState } from 'react';
import type { PageCards } from '../item.ts';

async function fetchCards(path: string): Promise<PageCards> {
  const response = await fetch(`/api/cards?path=${encodeURIComponent(path)}`);
  if (!response.ok) throw new TypeError(`The cards were answered with ${response.status}`);
  const { data } = (await response.json()) as { data: PageCards };
  const shuffled = data.cards.map((card) => ({ card, place: Math.random() }));
  return { ...data, cards: shuffled.sort((one, other) => one.place - other.place).map(({ card }) => card) };
}

/** The cards of a page, in random order; until they are loaded, those of the page before. @param isWanted whether to load them */
export function usePageCards(path: string, isWanted: boolean): PageCards {
  const [known, setKnown] = useState<PageCards>({ name: '', cards: [] });
  useEffect(() => {
    if (!isWanted) return;
    let isPast = false;
    const show = (page: PageCards) => {
      if (!isPast) setKnown(page);
    };
    fetchCards(path).then(show, (error: unknown) => {
      // A page without cards is as good as one with them.
      console.debug(error);
      show({ name: '', cards: [] });
    });
    return () => {
      isPast = true;
    };
  }, [path, isWanted]);
  return known;
}
