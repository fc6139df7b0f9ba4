import { createPausableTimers } from './pausable-timers.ts';

/** When cards come and go, in milliseconds. */
export const cardTimes = {
  /** Delay on phones before the first card. */
  phoneStart: 5000,
  /** The second card of a wide screen follows the first. */
  second: 500,
  /** The next card follows one that was closed. */
  next: 5000,
  /** A closed card slides out, and is taken away. */
  removal: 600,
} as const;

/** A card on the screen. */
export interface StackedCard {
  readonly id: string;
  /** It was closed and slides out. */
  readonly isLeaving: boolean;
}

interface CardStackOptions {
  /** A phone waits, and has one card at a time. */
  readonly isPhone: boolean;
  /** Whether no card may appear yet. */
  readonly isPaused: boolean;
  /** Whether a card was closed not long ago, here or in another tab. */
  isClosed(id: string): boolean;
  /** Called with the visible cards, the first on top, whenever they change. */
  changed(cards: readonly StackedCard[]): void;
}

/** Decides which cards are visible, and when. */
export interface CardStack {
  /**
   * Sets the cards of a page. Visible cards stay if they are among them; others slide out.
   * @param ids in order of appearance
   */
  deal(ids: readonly string[]): void;
  /** Makes a card slide out; another one appears later. */
  close(id: string): void;
  /** While paused no card appears; cards that slide out continue. */
  setPaused(isPaused: boolean): void;
  end(): void;
}

/** Makes a stack without cards. */
export function createCardStack({ isPhone, isPaused, isClosed, changed }: CardStackOptions): CardStack {
  const slots = isPhone ? 1 : 2;
  const coming = createPausableTimers(isPaused);
  const going = createPausableTimers();
  let ids: readonly string[] = [];
  /** Position in the list for the next card. */
  let at = 0;
  /** Number of places reserved for coming cards. */
  let held = 0;
  let cards: readonly StackedCard[] = [];

  function set(next: readonly StackedCard[]): void {
    cards = next;
    changed(cards);
  }

  const isThere = (id: string) => cards.some((card) => card.id === id);

  /** The next card that may come: from where the last one stood to the end of the list, then from its beginning. */
  function takeNext(): string | undefined {
    for (let passed = 0; passed < ids.length; passed += 1) {
      const id = ids[(at + passed) % ids.length];
      if (id === undefined || isThere(id) || isClosed(id)) continue;
      at = (at + passed + 1) % ids.length;
      return id;
    }
    return undefined;
  }

  function show(): void {
    held -= 1;
    const id = takeNext();
    if (id !== undefined) set([...cards, { id, isLeaving: false }]);
  }

  function bring(delayMs: number): void {
    held += 1;
    coming.after(delayMs, show);
  }

  function dismiss(id: string): void {
    set(cards.map((card) => (card.id === id ? { id, isLeaving: true } : card)));
    going.after(cardTimes.removal, () => set(cards.filter((card) => card.id !== id)));
  }

  const staying = () => cards.filter(({ isLeaving }) => !isLeaving);

  return {
    deal(given) {
      ids = given;
      at = 0;
      for (const { id } of staying()) if (!ids.includes(id)) dismiss(id);
      const free = slots - staying().length - held;
      for (let place = 0; place < free; place += 1)
        bring((isPhone ? cardTimes.phoneStart : 0) + place * cardTimes.second);
    },
    close(id) {
      if (!staying().some((card) => card.id === id)) return;
      dismiss(id);
      bring(cardTimes.next);
    },
    setPaused: coming.setPaused,
    end() {
      coming.clear();
      going.clear();
    },
  };
}

/** Creates a random order that stays the same for its lifetime, whatever items are sorted. @param random from 0 to 1 */
export function createChanceOrder(random: () => number = Math.random): (ids: readonly string[]) => string[] {
  const places = new Map<string, number>();
  const placeOf = (id: string): number => {
    const place = places.get(id) ?? random();
    places.set(id, place);
    return place;
  };
  return (ids) =>
    ids
      .map((id) => ({ id, place: placeOf(id) }))
      // A tie is broken consistently too, whatever the other items.
      .sort((one, other) => one.place - other.place || (one.id < other.id ? -1 : 1))
      .map(({ id }) => id);
}
