import { useCallback, useMemo, useState } from 'react';
import { useDevice } from '../../../web/browser/device/device.ts';
import { useRecentLinks } from '../../../web/browser/device/recent-links.ts';
import { rememberClosed } from '../../../web/visitors/stored/closed.ts';
import { type Card, isTip } from './card.ts';
import { createChanceOrder } from './stack/card-stack.ts';

/** Under which it is remembered that a tip has come. */
export const tipName = 'tip';

const shuffle = createChanceOrder();

/** Those of a page's cards that are something for this visitor. */
function useUsefulCards(cards: readonly Card[], canInstall: boolean): Card[] {
  const device = useDevice();
  const hasSavedNothing = useRecentLinks().length === 0;
  return cards.filter(
    ({ type, devices }) =>
      (devices === undefined || devices.includes(device)) &&
      (type !== 'install' || canInstall) &&
      (type !== 'example' || hasSavedNothing),
  );
}

/**
 * The cards that a page may show to this visitor, by their names and in an order of chance: what is promoted, and one
 * tip at the most.
 */
export function useFittingCards(
  cards: readonly Card[],
  {
    mayHaveTip,
    canInstall,
  }: {
    /** Whether a tip may come that has not come yet. */
    readonly mayHaveTip: boolean;
    /** Whether the browser can keep the site as an app. */
    readonly canInstall: boolean;
  },
) {
  const useful = useUsefulCards(cards, canInstall);
  const [shownTip, setShownTip] = useState<string | null>(null);
  const tips = shuffle(useful.filter(isTip).map(({ id }) => id));
  const tip = shownTip ?? (mayHaveTip ? tips[0] : undefined);
  const names = shuffle(useful.filter((card) => !isTip(card) || card.id === tip).map(({ id }) => id)).join();
  return {
    ids: useMemo(() => (names === '' ? [] : names.split(',')), [names]),
    /** To be called with a card that has come. */
    noteShown: useCallback((card: Card) => {
      if (!isTip(card)) return;
      setShownTip(card.id);
      rememberClosed(tipName);
    }, []),
  };
}
