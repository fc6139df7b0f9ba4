import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useDevice } from '../../../site/browser/device/device.ts';
import { useRecentLinks } from '../../../site/browser/device/recent-links.ts';
import { useToolBusy } from '../../../site/browser/downloads/tool-state.ts';
import { useClearance, useEscape } from '../../../site/overlays/above-page.ts';
import type { Layout } from '../../../site/overlays/layout.ts';
import { rememberClosed, wasClosed } from '../../../site/visitors/stored/closed.ts';
import { useInstall } from '../browser/install-prompt.ts';
import type { Promotion } from '../document-part.ts';
import { isTip } from '../item.ts';
import type { PageCards } from '../items/page-items.ts';
import { brought, cardTimes, closed, dealt, emptyStack, removed } from './card-stack.ts';
import { SideCard } from './side-card.tsx';

async function fetchCards(path: string, signal: AbortSignal): Promise<PageCards> {
  const response = await fetch(`/api/cards?path=${encodeURIComponent(path)}`, { signal });
  if (!response.ok) throw new TypeError(`The cards were answered with ${response.status}`);
  const { data } = (await response.json()) as { data: PageCards };
  const shuffled = data.cards.map((card) => ({ card, place: Math.random() }));
  return { ...data, cards: shuffled.sort((one, other) => one.place - other.place).map(({ card }) => card) };
}

/** The cards of a page, in random order; until they are loaded, those of the page before. @param isWanted whether to load them */
function usePageCards(path: string, isWanted: boolean): PageCards {
  const [known, setKnown] = useState<PageCards>({ name: '', cards: [] });
  useEffect(() => {
    if (!isWanted) return;
    const left = new AbortController();
    fetchCards(path, left.signal).then(setKnown, (error: unknown) => {
      if (left.signal.aborted) return;
      // A page without cards is as good as one with them.
      console.debug(error);
      setKnown({ name: '', cards: [] });
    });
    return () => left.abort();
  }, [path, isWanted]);
  return known;
}

interface CardsProps {
  readonly layout: Layout;
  readonly kinds: NonNullable<Promotion['cards']>;
  /** Whether tips may come. */
  readonly isTipTime: boolean;
}

/** The name of tips among closed elements: one comes in a day. */
const tipName = 'tip';

/** The cards at the side: they appear when the tool is idle, and do not cover it. */
export function Cards({ layout, kinds, isTipTime }: CardsProps) {
  const isPhone = layout === 'mobile';
  /** The tip that has come, empty for one of an earlier visit. */
  const [tip, setTip] = useState(() => (wasClosed(tipName) ? '' : null));
  const mayHaveTip = isTipTime && kinds.tips && tip !== '';
  const page = usePageCards(useLocation().pathname, kinds.promos || mayHaveTip);
  const device = useDevice();
  const canInstall = useInstall() !== null;
  const hasSavedNothing = useRecentLinks().length === 0;
  const useful = page.cards.filter(
    ({ type, devices }) =>
      (devices?.includes(device) ?? true) &&
      (type !== 'install' || canInstall) &&
      (type !== 'example' || hasSavedNothing),
  );
  const allowedTip = tip ?? (mayHaveTip ? useful.find(isTip)?.id : null);
  const cards = useful.filter((card) => !isTip(card) || card.id === allowedTip);

  const [stack, setStack] = useState(emptyStack);
  const ids = cards.map(({ id }) => id).join();
  const [last, setLast] = useState({ page, ids: '' });
  if (page !== last.page || ids !== last.ids) {
    setLast({ page, ids });
    setStack(dealt(stack, cards, isPhone));
  }
  const staying = stack.shown.filter(({ isLeaving }) => !isLeaving).map(({ card }) => card);
  const leaving = stack.shown.filter(({ isLeaving }) => isLeaving).map(({ card }) => card);
  const { newest } = stack;
  useEffect(() => {
    if (newest === null || !isTip(newest)) return;
    setTip(newest.id);
    rememberClosed(tipName);
  }, [newest]);

  const place = useRef<HTMLDivElement>(null);
  /** The element that had the focus before a card. */
  const before = useRef<HTMLElement>(null);
  const rows = Math.min(cards.length, isPhone ? 1 : 2);
  const isClear = useClearance(place, !isPhone, rows);
  const isBusy = useToolBusy();
  const [isPointed, setIsPointed] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isPaused = isBusy || isPointed || hasFocus || !isClear;

  const closeButton = (id: string | undefined) =>
    place.current?.querySelector<HTMLElement>(`#${id} .side-card-close`) ?? null;
  const top = staying.at(-1);
  useEscape(isClear && top !== undefined, () => closeButton(top?.id)?.click());

  function close(id: string, { detail }: MouseEvent): void {
    if (document.getElementById(id)?.contains(document.activeElement)) {
      const other = staying.find((card) => card.id !== id);
      // By keyboard, to the next card or back to where one was; a mouse has no use for either.
      const next = detail > 0 ? null : other === undefined ? before.current : closeButton(other.id);
      (next ?? document.getElementById('content'))?.focus({ preventScroll: true });
    }
    rememberClosed(id);
    setStack((present) => closed(present, id));
  }

  return (
    <>
      <p className="visually-hidden" role="status">
        {newest !== null && `${newest.label}: ${newest.title}`}
      </p>
      {stack.waits.map(({ key, ms }) => (
        <Wait
          key={key}
          ms={ms}
          isPaused={isPaused}
          onOver={() => setStack((present) => brought(present, key, wasClosed))}
        />
      ))}
      {leaving.map(({ id }) => (
        <Wait
          key={id}
          ms={cardTimes.removal}
          isPaused={false}
          onOver={() => setStack((present) => removed(present, id))}
        />
      ))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes that its cards are in use */}
      <div
        ref={place}
        className="side-cards"
        data-rows={rows}
        onPointerOver={({ pointerType }) => setIsPointed(pointerType === 'mouse')}
        onPointerLeave={() => setIsPointed(false)}
        onFocus={({ relatedTarget, currentTarget }) => {
          setHasFocus(true);
          if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null;
        }}
        onBlur={() => setHasFocus(false)}
      >
        {stack.shown.length > 0 && (
          <section aria-label={page.name}>
            <ul>
              {stack.shown
                .map(({ card, isLeaving }, at) => (
                  <SideCard
                    key={card.id}
                    {...{ card, isLeaving }}
                    place={at}
                    isAway={!isClear}
                    onClose={(event) => close(card.id, event)}
                  />
                ))
                .toReversed()}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}

interface WaitProps {
  readonly ms: number;
  /** The time stands still. */
  readonly isPaused: boolean;
  onOver(): void;
}

/** Calls back after so much time without pauses. */
function Wait({ ms, isPaused, onOver }: WaitProps) {
  const leftMs = useRef(ms);
  const over = useEffectEvent(onOver);
  useEffect(() => {
    if (isPaused) return;
    const sinceMs = performance.now();
    const timer = setTimeout(() => over(), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= performance.now() - sinceMs;
    };
  }, [isPaused]);
  return null;
}
