import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { everySecond } from './every-second.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a turn that never ends is reported, and the next ones come', async () => {
  let turns = 0;
  const errors: unknown[] = [];
  const end = everySecond(
    () => {
      turns += 1;
      return turns === 2 ? new Promise<void>(() => {}) : Promise.resolve();
    },
    (error) => errors.push(error),
  );
  await vi.advanceTimersByTimeAsync(11_900);
  expect(turns).toBe(2);
  await vi.advanceTimersByTimeAsync(2000);
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(String(errors)).toContain('longer than 10 s');
  const before = turns;
  await end();
  expect(turns).toBe(before + 1);
});

test('ending waits no longer than a turn may take', async () => {
  const end = everySecond(
    () => new Promise<void>(() => {}),
    () => {},
  );
  await vi.advanceTimersByTimeAsync(1500);
  const ended = vi.fn();
  void end().then(ended);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ended).toHaveBeenCalled();
});
