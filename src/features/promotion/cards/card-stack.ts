import type { Card } from '../items/page-items.ts';

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

/** A card that is to come. */
interface Wait {
  /** No other wait of the stack has it. */
  readonly key: number;
  readonly ms: number;
}

/** The cards on the screen, and when further ones come. */
export interface CardStack {
  /** The cards of the page: the one that has been away for the longest time comes first. */
  readonly queue: readonly Card[];
  /** The visible cards, the lowest first. */
  readonly shown: readonly { readonly card: Card; readonly isLeaving: boolean }[];
  readonly waits: readonly Wait[];
  readonly nextKey: number;
  /** The card that came last. */
  readonly newest: Card | null;
}

export const emptyStack: CardStack = { queue: [], shown: [], waits: [], nextKey: 0, newest: null };

const waiting = (stack: CardStack, ms: number): CardStack => ({
  ...stack,
  waits: [...stack.waits, { key: stack.nextKey, ms }],
  nextKey: stack.nextKey + 1,
});

/**
 * Sets the cards of a page, in order of appearance. Visible cards stay if they are among them, in the page's language;
 * others slide out.
 */
export function dealt(before: CardStack, cards: readonly Card[], isPhone: boolean): CardStack {
  const shown = before.shown.map((one) => {
    const card = cards.find(({ id }) => id === one.card.id);
    return card === undefined ? { ...one, isLeaving: true } : { ...one, card };
  });
  let stack: CardStack = { ...before, queue: cards, shown };
  const places = isPhone ? 1 : 2;
  const taken = stack.shown.filter(({ isLeaving }) => !isLeaving).length + stack.waits.length;
  for (let free = 0; free < places - taken; free += 1)
    stack = waiting(stack, (isPhone ? cardTimes.phoneStart : 0) + free * cardTimes.second);
  return stack;
}

/** A wait is over: the next card comes, if there is one. @param isClosed whether a card was closed not long ago */
export function brought(before: CardStack, key: number, isClosed: (id: string) => boolean): CardStack {
  const stack = { ...before, waits: before.waits.filter((wait) => wait.key !== key) };
  const next = stack.queue.find(({ id }) => !isClosed(id) && !stack.shown.some(({ card }) => card.id === id));
  if (next === undefined) return stack;
  const queue = [...stack.queue.filter((card) => card !== next), next];
  return { ...stack, queue, newest: next, shown: [...stack.shown, { card: next, isLeaving: false }] };
}

/** A card is closed and slides out; another one comes later. */
export function closed(stack: CardStack, id: string): CardStack {
  const shown = stack.shown.map((one) => (one.card.id === id ? { ...one, isLeaving: true } : one));
  return waiting({ ...stack, shown }, cardTimes.next);
}

/** A card has slid out. */
export const removed = (stack: CardStack, id: string): CardStack => ({
  ...stack,
  shown: stack.shown.filter(({ card }) => card.id !== id),
});
