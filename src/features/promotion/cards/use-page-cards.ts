import { useEffect, useState } from 'react';
import type { Card, PageCards } from './card.ts';

/** The requests since the document was loaded, by the page's path. */
const asked = new Map<string, Promise<PageCards>>();

async function fetchCards(path: string): Promise<PageCards> {
  const response = await fetch(`/api/cards?path=${encodeURIComponent(path)}`);
  if (!response.ok) throw new TypeError(`The cards were answered with ${response.status}`);
  return ((await response.json()) as { data: PageCards }).data;
}

function cardsOf(path: string): Promise<PageCards> {
  const before = asked.get(path);
  if (before !== undefined) return before;
  const cards = fetchCards(path);
  asked.set(path, cards);
  // A failed request is repeated the next time.
  cards.catch(() => asked.delete(path));
  return cards;
}

interface KnownCards extends PageCards {
  /** Includes those of earlier pages, which may still slide out. */
  readonly byId: ReadonlyMap<string, Card>;
}

const none: PageCards = { name: '', cards: [] };

/** The cards of a page; until they are loaded, those of the page before. @param isWanted whether to load them */
export function usePageCards(path: string, isWanted: boolean): KnownCards {
  const [known, setKnown] = useState<KnownCards>({ ...none, byId: new Map() });
  useEffect(() => {
    if (!isWanted) return;
    let isPast = false;
    const show = (page: PageCards) => {
      if (isPast) return;
      setKnown(({ byId }) => ({
        ...page,
        byId: new Map([...byId, ...page.cards.map((card) => [card.id, card] as const)]),
      }));
    };
    cardsOf(path).then(show, (error: unknown) => {
      // A page without cards is as good as one with them.
      console.debug(error);
      show(none);
    });
    return () => {
      isPast = true;
    };
  }, [path, isWanted]);
  return known;
}
