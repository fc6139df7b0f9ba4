import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchInteractions } from './interactions.ts';

/** An element that is tracked itself. */
class TrackedElement extends EventTarget {
  closest() {
    return this;
  }
}

let reported: string[];
let elements: TrackedElement[];
let views: { observed: unknown[]; options: IntersectionObserverInit; see(element: unknown): void };
let visit: AbortController;
let leave: () => void;

/** A browser event at an element, which reaches the window. */
function happens(type: string, element: object, more: object = {}): void {
  const event = Object.assign(new Event(type), more);
  Object.defineProperty(event, 'target', { value: element });
  for (const listener of listeners.get(type) ?? []) listener(event);
}

let listeners: Map<string, ((event: Event) => void)[]>;

beforeEach(() => {
  vi.useFakeTimers();
  [reported, elements, listeners] = [[], [new TrackedElement(), new TrackedElement()], new Map()];
  vi.stubGlobal('Element', TrackedElement);
  vi.stubGlobal('document', { body: null, querySelectorAll: () => elements });
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('addEventListener', (type: string, listener: (event: Event) => void) =>
    listeners.set(type, [...(listeners.get(type) ?? []), listener]),
  );
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: object[]) => void, options: IntersectionObserverInit) {
        const observed: unknown[] = [];
        views = { observed, options, see: (target) => callback([{ isIntersecting: true, target }]) };
      }
      observe(element: unknown) {
        views.observed.push(element);
      }
      unobserve() {}
      disconnect() {}
    },
  );
  visit = new AbortController();
  leave = watchInteractions(
    (what, element) => reported.push(`${what} ${elements.indexOf(element as never)}`),
    visit.signal,
  );
});
afterEach(() => {
  visit.abort();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('reports clicks within half a second of each other as one, half a second after the last', () => {
  for (let n = 0; n < 3; n += 1) {
    happens('click', elements[0] as object);
    vi.advanceTimersByTime(499);
  }
  happens('click', elements[1] as object);
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reported).toEqual(['click 0']);
  vi.advanceTimersByTime(498);
  expect(reported).toEqual(['click 0']);
  vi.advanceTimersByTime(1);
  expect(reported).toEqual(['click 0', 'click 1']);
});

test('reports a pending click at once when the page is left, and only once', () => {
  happens('click', elements[0] as object);
  leave();
  vi.advanceTimersByTime(1000);
  expect(reported).toEqual(['click 0']);
});

test('reports a mouse that rests for half a second, but not one that moves on earlier, nor a finger', () => {
  const mouse = { pointerType: 'mouse' };
  happens('pointerover', elements[0] as object, mouse);
  vi.advanceTimersByTime(499);
  happens('pointerover', elements[1] as object, mouse);
  vi.advanceTimersByTime(499);
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reported).toEqual(['hover 1']);
  happens('pointerover', elements[0] as object, { pointerType: 'touch' });
  vi.advanceTimersByTime(1000);
  expect(reported).toEqual(['hover 1']);
});

test('reports an element once, when half of it has come into view', () => {
  vi.advanceTimersByTime(500);
  expect(views.options).toEqual({ threshold: 0.5 });
  expect(views.observed).toEqual(elements);
  views.see(elements[1]);
  views.see(elements[1]);
  expect(reported).toEqual(['exposure 1']);
});
