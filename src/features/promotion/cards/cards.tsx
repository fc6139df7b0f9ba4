import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useToolBusy } from '../../../web/browser/downloads/tool-state.ts';
import { useClearance } from '../../../web/overlays/clearance.ts';
import type { Layout } from '../../../web/overlays/layout.ts';
import { useEscape } from '../../../web/overlays/on-top.ts';
import { wasClosed } from '../../../web/visitors/stored/closed.ts';
import type { Install } from '../browser/install-prompt.ts';
import type { CardKinds } from './card.ts';
import { SideCard } from './side-card.tsx';
import { useCardStack } from './stack/use-card-stack.ts';
import { tipName, useFittingCards } from './use-fitting-cards.ts';
import { useHold } from './use-hold.ts';
import { usePageCards } from './use-page-cards.ts';

interface CardsProps {
  readonly layout: Layout;
  readonly kinds: CardKinds;
  readonly isTipTime: boolean;
  readonly install: Install;
}

/** The cards at the side: they come when the tool has nothing to do, and keep clear of it. */
export function Cards({ layout, kinds, isTipTime, install }: CardsProps) {
  const isPhone = layout === 'mobile';
  const [hadTip] = useState(() => wasClosed(tipName));
  const mayHaveTip = isTipTime && kinds.tips && !hadTip;
  const page = usePageCards(useLocation().pathname, kinds.promos || mayHaveTip);
  const { ids, noteShown } = useFittingCards(page.cards, { mayHaveTip, canInstall: install !== null });
  const place = useRef<HTMLDivElement>(null);
  const rows = Math.min(ids.length, isPhone ? 1 : 2);
  const isClear = useClearance(place, !isPhone, rows);
  const isBusy = useToolBusy();
  const { isHeld, before } = useHold(place);
  const stack = useCardStack(ids, { isPhone, isPaused: isBusy || isHeld || !isClear });
  const [announcement, announce] = useState('');

  const shown = stack.cards.flatMap(({ id, isLeaving }, at) => {
    const card = page.byId.get(id);
    return card === undefined ? [] : [{ card, isLeaving, place: at }];
  });
  const newest = shown.findLast(({ isLeaving }) => !isLeaving)?.card;

  useEffect(() => {
    if (newest === undefined || said.has(newest.id)) return;
    said.add(newest.id);
    announce(`${newest.label}: ${newest.title}`);
    noteShown(newest);
  }, [newest, noteShown]);

  useEscape(isClear && newest !== undefined, () => {
    if (newest !== undefined) closeButton(newest.id)?.click();
  });

  function close(id: string, { detail }: MouseEvent): void {
    if (document.getElementById(id)?.contains(document.activeElement)) {
      const other = shown.find(({ card, isLeaving }) => !isLeaving && card.id !== id);
      // By keyboard, to the next card or back to where one was; a mouse has no use for either.
      const next = detail > 0 ? null : other === undefined ? before.current : closeButton(other.card.id);
      (next ?? document.getElementById('content'))?.focus({ preventScroll: true });
    }
    stack.close(id);
  }

  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div ref={place} className="side-cards" data-rows={rows}>
        {shown.length > 0 && (
          <section aria-label={page.name}>
            <ul>
              {shown.toReversed().map((one) => (
                <SideCard
                  key={one.card.id}
                  {...one}
                  install={install}
                  isAway={!isClear}
                  onClose={(event) => close(one.card.id, event)}
                />
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}

/** Cards of which a screen reader has been told. */
const said = new Set<string>();

const closeButton = (id: string) =>
  document.getElementById(id)?.querySelector<HTMLElement>('.side-card-close') ?? null;
