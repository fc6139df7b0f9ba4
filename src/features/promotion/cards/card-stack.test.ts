import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Card } from '../items/page-items.ts';
import { brought, type CardStack, cardTimes, closed, dealt, emptyStack, removed } from './card-stack.ts';

const cardsOf = (...ids: string[]) => ids.map((id) => ({ id, title: id }) as Card);
const deal = (ids: readonly string[], isPhone = false, before = emptyStack) =>
  dealt(before, cardsOf(...ids), isPhone);
const staying = ({ shown }: CardStack) =>
  shown.flatMap(({ card, isLeaving }) => (isLeaving ? [] : [card.id]));
const waits = (stack: CardStack) => stack.waits.map(({ ms }) => ms);
const never = () => false;

/** The wait that began first is over. */
const bring = (stack: CardStack, isClosed: (id: string) => boolean = never) =>
  stack.waits[0] === undefined ? stack : brought(stack, stack.waits[0].key, isClosed);

describe('on a wide screen', () => {
  const two = bring(bring(deal(['a', 'b', 'c'])));

  test('shows one card at once, and a second one 500 ms later', () => {
    const stack = deal(['a', 'b', 'c']);
    expect(waits(stack)).toEqual([0, 500]);
    expect(staying(bring(stack))).toEqual(['a']);
    expect([staying(two), waits(two), two.newest?.id]).toEqual([['a', 'b'], [], 'b']);
  });

  test('shows the next card 5 s after one was closed, and removes the closed one', () => {
    const stack = closed(two, 'a');
    expect([staying(stack), stack.shown.length, waits(stack)]).toEqual([['b'], 2, [5000]]);
    expect(removed(stack, 'a').shown).toHaveLength(1);
    expect(staying(bring(stack))).toEqual(['b', 'c']);
  });

  test('each closed card has its own successor', () => {
    expect(waits(closed(closed(two, 'a'), 'b'))).toEqual([5000, 5000]);
  });

  test('after the last card the first one returns, once its day is over', () => {
    const isClosed = (id: string) => id === 'a';
    const none = bring(removed(closed(two, 'a'), 'a'), (id) => id !== 'b');
    expect([staying(none), waits(none)]).toEqual([['b'], []]);
    const last = bring(removed(closed(two, 'a'), 'a'), isClosed);
    expect(staying(last)).toEqual(['b', 'c']);
    expect(staying(bring(removed(closed(last, 'c'), 'c')))).toEqual(['b', 'a']);
  });
});

test('a phone waits 5 s, and shows one card at a time', () => {
  const stack = deal(['a', 'b'], true);
  expect(waits(stack)).toEqual([5000]);
  expect([staying(bring(stack)), waits(bring(stack))]).toEqual([['a'], []]);
});

test('another page keeps the cards that it also has, in its words, and drops the others', () => {
  const stack = dealt(bring(bring(deal(['a', 'b', 'c']))), [{ id: 'b', title: 'B' } as Card], false);
  expect(stack.shown.map(({ card, isLeaving }) => [card.title, isLeaving])).toEqual([
    ['a', true],
    ['B', false],
  ]);
  expect(waits(stack)).toEqual([0]);
  expect(staying(deal([], false, stack))).toEqual([]);
});

test('another page adds no card while the next one is pending', () => {
  const stack = closed(bring(bring(deal(['a', 'b', 'c', 'd']))), 'a');
  expect(waits(deal(['b', 'c', 'd'], false, stack))).toEqual([5000]);
});

const steps = fc.array(fc.oneof(fc.constant('bring'), fc.constant('close'), fc.constant('remove')));

test('whatever a visitor does: never too many, never one twice, never a closed one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), fc.boolean(), steps, (length, isPhone, all) => {
      const gone = new Set<string>();
      let stack = deal(
        Array.from({ length }, (_, at) => String(at)),
        isPhone,
      );
      for (const step of all) {
        const [first] = staying(stack);
        const leaving = stack.shown.find(({ isLeaving }) => isLeaving)?.card.id;
        if (step === 'close' && first !== undefined) {
          gone.add(first);
          stack = closed(stack, first);
        } else if (step === 'remove' && leaving !== undefined) stack = removed(stack, leaving);
        else if (step === 'bring') {
          const before = staying(stack);
          stack = bring(stack, (id) => gone.has(id));
          for (const id of staying(stack)) expect(before.includes(id) || !gone.has(id)).toBe(true);
        }
        expect(staying(stack).length + stack.waits.length).toBeLessThanOrEqual(isPhone ? 1 : 2);
        expect(new Set(stack.shown.map(({ card }) => card.id)).size).toBe(stack.shown.length);
      }
    }),
  );
});

test('the times match the specification', () => {
  expect(cardTimes).toEqual({ phoneStart: 5000, second: 500, next: 5000, removal: 600 });
});
