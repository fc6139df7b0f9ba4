import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClientPace } from './relay.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function pace() {
  let isWaiting = true;
  let isTooSlow = false;
  const subject = new ClientPace({
    isWaiting: () => isWaiting,
    tooSlow: () => {
      isTooSlow = true;
    },
  });
  /** Reads this many bytes at once, every given number of seconds, for an hour. */
  const hour = (bytes: number, everyS: number) => {
    for (let s = 0; s < 3600; s += everyS) {
      vi.advanceTimersByTime(everyS * 1000);
      subject.took(bytes);
    }
    return isTooSlow;
  };
  const wait = (now: boolean) => {
    isWaiting = now;
  };
  return { subject, hour, isTooSlow: () => isTooSlow, wait };
}

test('reports a client that reads nothing, or a byte now and then, after five minutes', () => {
  for (const bytes of [0, 1, 1000]) {
    const { subject, isTooSlow } = pace();
    for (let s = 0; s < 300; s += 10) {
      expect(isTooSlow()).toBe(false);
      vi.advanceTimersByTime(10_000);
      subject.took(bytes);
    }
    expect(isTooSlow()).toBe(true);
  }
});

test('does not report a phone on a slow line, although the kernel accepts its bytes in lumps', () => {
  for (const [bytesPerS, everyS] of [
    [20_000, 1],
    [2000, 60],
    [1000, 200],
  ] as const) {
    const { subject, hour } = pace();
    expect(hour(bytesPerS * everyS, everyS)).toBe(false);
    subject.end();
  }
});

test('does not count time in which nothing was there for the client', () => {
  const { subject, isTooSlow, wait } = pace();
  vi.advanceTimersByTime(200_000);
  wait(false);
  vi.advanceTimersByTime(3_600_000);
  expect(isTooSlow()).toBe(false);
  wait(true);
  vi.advanceTimersByTime(120_000);
  expect(isTooSlow()).toBe(true);
  subject.end();
});
