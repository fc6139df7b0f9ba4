import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readClosed, rememberClosed, wasClosed, writeClosed } from './closed.ts';

const dayS = 86_400;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z') });
  let jar = '';
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.stubGlobal('document', {
    get cookie() {
      return jar;
    },
    set cookie(line: string) {
      jar = line.split('; ')[0] ?? '';
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('keeps each thing closed for a day, separately', () => {
  rememberClosed('side-banner');
  vi.advanceTimersByTime((dayS - 60) * 1000);
  rememberClosed('push');
  expect([wasClosed('side-banner'), wasClosed('push'), wasClosed('bottom-banner')]).toEqual([
    true,
    true,
    false,
  ]);
  vi.advanceTimersByTime(60 * 1000);
  expect([wasClosed('side-banner'), wasClosed('push')]).toEqual([false, true]);
});

test('closing again extends it for another day', () => {
  rememberClosed('push');
  vi.advanceTimersByTime(dayS * 500);
  rememberClosed('push');
  vi.advanceTimersByTime(dayS * 700);
  expect(wasClosed('push')).toBe(true);
});

test('foreign text in the cookie closes nothing', () => {
  const now = 1_800_000_000;
  for (const value of ['1732294800000', 'push', 'push:', ':1800000000', `push:${now + 5}`, '%zz', 'a:1:2'])
    expect([...readClosed(value, now)]).toEqual([]);
  fc.assert(fc.property(fc.string(), (value) => readClosed(value, now).size <= value.length));
});

test('reads what it wrote', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,39}$/);
  const now = 1_800_000_000;
  const closed = fc.array(fc.tuple(name, fc.integer({ min: now - dayS + 1, max: now })));
  fc.assert(
    fc.property(closed, (entries) => {
      const map = new Map(entries);
      expect(readClosed(writeClosed(map), now)).toEqual(map);
    }),
  );
});
