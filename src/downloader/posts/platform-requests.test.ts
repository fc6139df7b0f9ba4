import { expect, test } from 'vitest';
import { createReadingLimit } from './platform-requests.ts';

test('reads more posts at once while the process keeps up', () => {
  let isBusy = false;
  const limit = createReadingLimit({ most: 4, mostWhenBusy: 2, isBusy: () => isBusy });
  const ends = Array.from({ length: 3 }, () => limit.begin());
  isBusy = true;
  expect(limit.isFull).toBe(true);
  expect(() => limit.begin()).toThrow(expect.objectContaining({ key: 'overloaded', retryAfterS: 2 }));
  isBusy = false;
  expect(limit.isFull).toBe(false);
  ends.push(limit.begin());
  expect(limit.isFull).toBe(true);
  // Ending twice counts once.
  ends[0]?.();
  ends[0]?.();
  limit.begin();
  expect(limit.isFull).toBe(true);
});
