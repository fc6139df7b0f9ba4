import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cardTimes, createCardStack, createChanceOrder, type StackedCard } from './card-stack.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const dayMs = 86_400_000;

/** A stack that remembers closed cards for a day, as on the page. */
function begin(ids: readonly string[], { isPhone = false, isPaused = false } = {}) {
  const closedAtMs = new Map<string, number>();
  let cards: readonly StackedCard[] = [];
  const isClosed = (id: string) => Date.now() - (closedAtMs.get(id) ?? -dayMs) < dayMs;
  const stack = createCardStack({
    isPhone,
    isPaused,
    isClosed,
    changed: (next) => {
      cards = next;
    },
  });
  stack.deal(ids);
  return {
    stack,
    isClosed,
    all: () => cards,
    shown: () => cards.filter(({ isLeaving }) => !isLeaving).map(({ id }) => id),
    close(id: string) {
      closedAtMs.set(id, Date.now());
      stack.close(id);
    },
  };
}

const pass = (ms: number) => vi.advanceTimersByTime(ms);

describe('on a wide screen', () => {
  test('shows one card at once, and a second one 500 ms later', () => {
    const { shown } = begin(['a', 'b', 'c']);
    pass(0);
    expect(shown()).toEqual(['a']);
    pass(499);
    expect(shown()).toEqual(['a']);
    pass(1);
    expect(shown()).toEqual(['a', 'b']);
    pass(60_000);
    expect(shown()).toEqual(['a', 'b']);
  });

  test('shows the next card 5 s after one was closed, and removes the closed one after 600 ms', () => {
    const { all, shown, close } = begin(['a', 'b', 'c']);
    pass(500);
    close('a');
    expect(all()).toEqual([
      { id: 'a', isLeaving: true },
      { id: 'b', isLeaving: false },
    ]);
    pass(599);
    expect(all()).toHaveLength(2);
    pass(1);
    expect(all()).toEqual([{ id: 'b', isLeaving: false }]);
    pass(4399);
    expect(shown()).toEqual(['b']);
    pass(1);
    expect(shown()).toEqual(['b', 'c']);
  });

  test('each closed card has its own successor', () => {
    const { shown, close } = begin(['a', 'b', 'c', 'd']);
    pass(500);
    close('a');
    pass(1000);
    close('b');
    pass(4000);
    expect(shown()).toEqual(['c']);
    pass(1000);
    expect(shown()).toEqual(['c', 'd']);
  });

  test('after the last card the first one returns, once its day is over', () => {
    const { shown, close } = begin(['a', 'b', 'c']);
    pass(500);
    close('a');
    pass(5000);
    expect(shown()).toEqual(['b', 'c']);
    pass(dayMs);
    close('c');
    pass(5000);
    expect(shown()).toEqual(['b', 'a']);
  });

  test('a closed card stays away for its day, however often others are closed', () => {
    const { shown, close } = begin(['a', 'b']);
    pass(500);
    close('a');
    close('b');
    pass(dayMs - 1);
    expect(shown()).toEqual([]);
  });
});

test('a phone waits 5 s, and shows one card at a time', () => {
  const { shown, close } = begin(['a', 'b'], { isPhone: true });
  pass(4999);
  expect(shown()).toEqual([]);
  pass(1);
  expect(shown()).toEqual(['a']);
  pass(60_000);
  expect(shown()).toEqual(['a']);
  close('a');
  pass(5000);
  expect(shown()).toEqual(['b']);
});

test('shows nothing while it is paused, and waits the remaining time afterwards', () => {
  const { stack, all, shown, close } = begin(['a', 'b', 'c'], { isPaused: true });
  pass(60_000);
  expect(shown()).toEqual([]);
  stack.setPaused(false);
  pass(200);
  stack.setPaused(true);
  pass(60_000);
  expect(shown()).toEqual(['a']);
  stack.setPaused(false);
  pass(299);
  expect(shown()).toEqual(['a']);
  pass(1);
  expect(shown()).toEqual(['a', 'b']);
  close('b');
  stack.setPaused(true);
  pass(600);
  // A card that slides out does not stop half-way.
  expect(all()).toEqual([{ id: 'a', isLeaving: false }]);
});

test('another page keeps the cards that it also has, and drops the others', () => {
  const { stack, all, shown } = begin(['a', 'b', 'c']);
  pass(500);
  stack.deal(['b', 'd']);
  expect(all()).toContainEqual({ id: 'a', isLeaving: true });
  pass(0);
  expect(shown()).toEqual(['b', 'd']);
  stack.deal([]);
  pass(600);
  expect(all()).toEqual([]);
});

test('another page adds no card while the next one is pending', () => {
  const { stack, shown, close } = begin(['a', 'b', 'c', 'd']);
  pass(500);
  close('a');
  stack.deal(['b', 'c', 'd']);
  pass(4999);
  expect(shown()).toEqual(['b']);
  pass(60_000);
  expect(shown()).toEqual(['b', 'c']);
});

test('does nothing after its end', () => {
  const { stack, all, close } = begin(['a', 'b']);
  pass(0);
  close('a');
  stack.end();
  pass(60_000);
  expect(all()).toEqual([{ id: 'a', isLeaving: true }]);
});

type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'close'; readonly place: number }
  | { readonly kind: 'pause'; readonly isPaused: boolean };

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(0, 100, 500, 600, 4400, 5000, dayMs),
    }),
    fc.record({ kind: fc.constant('close' as const), place: fc.nat(1) }),
    fc.record({ kind: fc.constant('pause' as const), isPaused: fc.boolean() }),
  ),
  { maxLength: 60 },
);

test('whatever a visitor does: never too many, never one twice, never a closed one, in the order of the list', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), fc.boolean(), steps, (length, isPhone, all) => {
      vi.setSystemTime(0);
      const ids = Array.from({ length }, (_, at) => String(at));
      const visit = begin(ids, { isPhone });
      let isPaused = false;
      let seen: string[] = [];
      let last = -1;
      const look = (before: readonly string[]) => {
        const now = visit.shown();
        expect(now.length).toBeLessThanOrEqual(isPhone ? 1 : 2);
        const every = visit.all().map(({ id }) => id);
        expect(new Set(every).size).toBe(every.length);
        for (const id of now.filter((one) => !before.includes(one))) {
          expect(isPaused).toBe(false);
          expect(visit.isClosed(id)).toBe(false);
          // Skipped entries were present, or closed.
          for (let at = (last + 1) % length; at !== Number(id); at = (at + 1) % length)
            expect(every.includes(String(at)) || visit.isClosed(String(at))).toBe(true);
          last = Number(id);
        }
        seen = now;
      };
      const step = (one: Step) => {
        if (one.kind === 'pause') {
          isPaused = one.isPaused;
          visit.stack.setPaused(isPaused);
        } else if (one.kind === 'close') {
          const id = visit.shown()[one.place];
          if (id !== undefined) visit.close(id);
          seen = visit.shown();
        } else {
          const untilMs = Date.now() + one.ms;
          // From one timer to the next, so that each card is seen when it appears.
          while (Date.now() < untilMs && vi.getTimerCount() > 0) {
            vi.advanceTimersByTime(Math.min(100, untilMs - Date.now()));
            look(seen);
          }
          vi.setSystemTime(untilMs);
          vi.advanceTimersByTime(0);
          look(seen);
        }
      };
      for (const one of all) step(one);
      visit.stack.end();
    }),
    { numRuns: 300 },
  );
});

test('the order is random, loses nothing, and stays the same when cards come and go', () => {
  const ids = fc.uniqueArray(fc.string());
  fc.assert(
    fc.property(
      ids,
      ids,
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (some, others, chance) => {
        const order = createChanceOrder(() => chance.next().value as number);
        const first = order(some);
        expect([...first].sort()).toEqual([...some].sort());
        const second = order([...others, ...some]);
        expect([...new Set(second)].filter((id) => some.includes(id))).toEqual(first);
      },
    ),
  );
  const same = createChanceOrder(() => 0.5);
  expect(same(['a', 'b'])).toEqual(same(['b', 'a']));
  const falling = [0.9, 0.5, 0.1];
  expect(createChanceOrder(() => falling.shift() ?? 0)(['a', 'b', 'c'])).toEqual(['c', 'b', 'a']);
});

test('the times match the specification', () => {
  expect(cardTimes).toEqual({ phoneStart: 5000, second: 500, next: 5000, removal: 600 });
});
