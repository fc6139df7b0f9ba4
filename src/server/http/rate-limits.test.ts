import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateLimit } from './rate-limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const refusal = (retryAfterS: number) => expect.objectContaining({ key: 'rate_limited', retryAfterS });

test('a visitor has so many tries a minute, then is told how long to wait', async () => {
  const limit = createRateLimit(2);
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
  const limit = createRateLimit(1);
  for (let neighbour = 0; neighbour < 8; neighbour++)
    await limit({ key: `visitor ${neighbour}`, block: 'A' });
  await expect(limit({ key: 'one more', block: 'A' })).rejects.toEqual(refusal(60));
  await limit({ key: 'elsewhere', block: 'B' });
});
