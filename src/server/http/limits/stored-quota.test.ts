import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countHere } from '../../../stores/embedded/rate-counters.ts';
import { createStoredQuotas, type StoredLimit, storedBytes } from './stored-quota.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const refused = (retryAfterS: number) => expect.objectContaining({ key: 'rate_limited', retryAfterS });
const plenty = { rows: 1000, bytes: 1_000_000 };

function quotaWith(...limits: readonly StoredLimit[]) {
  const dropped: [string, number][] = [];
  const quotas = createStoredQuotas(countHere, (table, rows) => dropped.push([table, rows]));
  return { quota: quotas.create('notes', limits), dropped };
}

/** A visitor of a block; each has its own address. */
const visitor = (block: string, key = 'v') => ({ key: `${block}-${key}`, block });

test('a block may store a limited number of rows, whichever of its addresses they come from', async () => {
  const { quota, dropped } = quotaWith({ periodS: 3600, block: { rows: 3, bytes: 1000 }, all: plenty });
  for (const key of ['a', 'b', 'c']) await quota(visitor('A', key), 10);
  vi.advanceTimersByTime(600_000);
  await expect(quota(visitor('A', 'd'), 10)).rejects.toEqual(refused(3000));
  expect(dropped).toEqual([['notes', 1]]);
  await quota(visitor('B'), 10);
  vi.advanceTimersByTime(3_000_000);
  await quota(visitor('A', 'd'), 10);
});

test('all blocks together may store a limited number of rows', async () => {
  const { quota } = quotaWith({
    periodS: 3600,
    block: { rows: 3, bytes: 1000 },
    all: { rows: 5, bytes: 1000 },
  });
  for (const block of ['A', 'B', 'C', 'D', 'E']) await quota(visitor(block), 10);
  await expect(quota(visitor('F'), 10)).rejects.toEqual(refused(3600));
});

test('limits bytes too, for a block and for all', async () => {
  const { quota, dropped } = quotaWith({
    periodS: 3600,
    block: { rows: 10, bytes: 1000 },
    all: { rows: 100, bytes: 1500 },
  });
  await quota(visitor('A'), 900, 2);
  await expect(quota(visitor('A'), 200, 2)).rejects.toEqual(refused(3600));
  expect(dropped).toEqual([['notes', 2]]);
  await quota(visitor('B'), 600);
  await expect(quota(visitor('C'), 1)).rejects.toEqual(refused(3600));
});

test('the longer of two periods still counts when the shorter is over', async () => {
  const { quota } = quotaWith(
    { periodS: 3600, block: { rows: 2, bytes: 1000 }, all: plenty },
    { periodS: 86_400, block: { rows: 3, bytes: 1000 }, all: plenty },
  );
  await quota(visitor('A'), 1);
  await quota(visitor('A'), 1);
  vi.advanceTimersByTime(3_600_000);
  await quota(visitor('A'), 1);
  await expect(quota(visitor('A'), 1)).rejects.toEqual(refused(86_400 - 3600));
});

test('counts the bytes of a row in UTF-8', () => {
  expect(storedBytes({ name: 'あ' }) - storedBytes({ name: '' })).toBe(3);
});
