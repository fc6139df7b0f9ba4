import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import type { MakeRateCounters, RateCounters } from '../../../stores/contracts/rate-counters.ts';
import { countHere } from '../../../stores/embedded/rate-counters.ts';
import { describeRateLimits } from '../testing/rate-limits-suite.ts';
import { createDownloadLimit, createRateLimits, delayRefusal } from './visitor-limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const refusal = (retryAfterS: number) => expect.objectContaining({ key: 'rate_limited', retryAfterS });

test('a visitor has a limited number of requests a minute, then learns how long to wait', async () => {
  const limit = createRateLimits().create('test', 2);
  const visitor = { key: 'a', block: 'A' };
  await limit(visitor);
  await limit(visitor);
  vi.advanceTimersByTime(20_000);
  await expect(limit(visitor)).rejects.toEqual(refusal(40));
  await limit({ key: 'b', block: 'A' });
  vi.advanceTimersByTime(40_000);
  await limit(visitor);
});

test('an address block as a whole has a limit too', async () => {
  const limit = createRateLimits().create('test', 1);
  for (let neighbour = 0; neighbour < 8; neighbour++)
    await limit({ key: `visitor ${neighbour}`, block: 'A' });
  await expect(limit({ key: 'one more', block: 'A' })).rejects.toEqual(refusal(60));
  await limit({ key: 'elsewhere', block: 'B' });
});

test('delays the refusal of a visitor who asks too often, and nobody else waits', async () => {
  vi.useRealTimers();
  let isOver = false;
  const delayed = delayRefusal(new Failure('rate_limited')).then(() => {
    isOver = true;
  });
  await delayRefusal(new Failure('post_gone'));
  expect(isOver).toBe(false);
  await delayed;
});

describeRateLimits('in process', async () => {
  const limits = new Map<string, RateCounters>();
  // Two instances in one process count as one instance that creates the same limit twice.
  const count: MakeRateCounters = (name, ...given) => {
    const counters = limits.get(name) ?? countHere(name, ...given);
    limits.set(name, counters);
    return counters;
  };
  return { one: count, other: count, close: async () => {} };
});

const answer = (closed = false) => Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse;

test('a visitor has a limited number of downloads at once, and gets another when one has ended', () => {
  const limit = createDownloadLimit(2);
  const visitor = { key: 'a', block: 'x' };
  const [first, second] = [answer(), answer()];
  limit(visitor, first);
  limit(visitor, second);
  expect(() => limit(visitor, answer())).toThrow(
    expect.objectContaining({ key: 'downloads_limited', retryAfterS: 10 }),
  );
  limit({ key: 'b', block: 'x' }, answer());
  first.emit('close');
  limit(visitor, answer());
  expect(() => limit(visitor, answer())).toThrow('downloads_limited');
});

test('a block has eight times as many, and one that ended before it was counted does not count', () => {
  const limit = createDownloadLimit(2);
  for (let n = 0; n < 100; n++) limit({ key: 'gone', block: 'x' }, answer(true));
  for (let n = 0; n < 16; n++) limit({ key: String(n), block: 'x' }, answer());
  expect(() => limit({ key: 'new', block: 'x' }, answer())).toThrow('downloads_limited');
  limit({ key: 'new', block: 'y' }, answer());
});
