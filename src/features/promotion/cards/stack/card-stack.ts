import { createPausableTimers } from './pausable-timers.ts';

/** When cards come and go, in milliseconds. */
export const cardTimes = {
  /** Phones wait before anything comes. */
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
  /** Whether nothing may come as yet. */
  readonly isPaused: boolean;
  /** Whether a card was closed not long ago, here or in another tab. */
  isClosed(id: string): boolean;
  /** Told of the cards on the screen, the first on top, whenever they change. */
  changed(cards: readonly StackedCard[]): void;
}

/** What decides which cards are on the screen, and when. */
export interface CardStack {
  /**
   * Gives the cards of a page. Those on the screen stay if they are among them, and the others slide out.
   * @param ids in the order in which they come
   */
  deal(ids: readonly string[]): void;
  /** Has a card slide out; another one comes later. */
  close(id: string): void;
  /** Nothing comes while it is paused; what slides out goes on. */
  setPaused(isPaused: boolean): void;
  end(): void;
}

/** Makes a stack without cards. */
export function createCardStack({ isPhone, isPaused, isClosed, changed }: CardStackOptions): CardStack {
  const slots = isPhone ? 1 : 2;
  const coming = createPausableTimers(isPaused);
  const going = createPausableTimers();
  let ids: readonly string[] = [];
  /** Where in the list the next card is looked for. */
  let at = 0;
  /** How many places are held for cards to come. */
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

/**
 * Makes an order of chance that stays the same for as long as it is used, whichever things are put into it.
 * @param random from 0 to 1
 */
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
      // Two that drew the same keep their order as well, whatever stands around them.
      .sort((one, other) => one.place - other.place || (one.id < other.id ? -1 : 1))
      .map(({ id }) => id);
}
