import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startRetentionJob } from './retention-job.ts';

const hourMs = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const deleteOld = vi.fn(async () => {});
  const logger = { error: vi.fn() };
  return { deleteOld, logger, end: startRetentionJob({ deleteOld, logger }) };
}

test('deletes old rows at the start and every hour, until the end', async () => {
  const { deleteOld, logger, end } = start();
  expect(deleteOld).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3 * hourMs);
  expect(deleteOld).toHaveBeenCalledTimes(4);
  await end();
  await vi.advanceTimersByTimeAsync(hourMs);
  expect(deleteOld).toHaveBeenCalledTimes(4);
  expect(logger.error).not.toHaveBeenCalled();
});

test.each([
  ['a year ahead', 365 * 24 * hourMs, false],
  ['two hours ahead', 2 * hourMs, false],
  ['back to the epoch', -Date.now(), false],
  ['half a minute ahead', 30_000, true],
])('deletes nothing under a clock that was set %s', async (_, byMs, isDeleted) => {
  const { deleteOld, logger, end } = start();
  vi.setSystemTime(Date.now() + byMs);
  await vi.advanceTimersByTimeAsync(hourMs);
  expect(deleteOld).toHaveBeenCalledTimes(isDeleted ? 2 : 1);
  expect(logger.error).toHaveBeenCalledTimes(isDeleted ? 0 : 1);
  // After the clock is right again.
  vi.setSystemTime(Date.now() - byMs);
  await vi.advanceTimersByTimeAsync(hourMs);
  expect(deleteOld).toHaveBeenCalledTimes(isDeleted ? 3 : 2);
  await end();
});
