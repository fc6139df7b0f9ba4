import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPoller, startRetentionJob } from './periodic.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('reports a turn that never ends, and starts the next ones', async () => {
  let turns = 0;
  const errors: unknown[] = [];
  const end = startPoller(
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
  const end = startPoller(
    () => new Promise<void>(() => {}),
    () => {},
  );
  await vi.advanceTimersByTimeAsync(1500);
  const ended = vi.fn();
  void end().then(ended);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ended).toHaveBeenCalled();
});

test('starts a turn at once on a signal, and after the running one', async () => {
  const turns: PromiseWithResolvers<void>[] = [];
  let begin = () => {};
  const end = startPoller(
    () => {
      const turn = Promise.withResolvers<void>();
      turns.push(turn);
      return turn.promise;
    },
    () => {},
    (given) => {
      begin = given;
    },
  );
  begin();
  await vi.advanceTimersByTimeAsync(0);
  expect(turns).toHaveLength(1);
  begin();
  begin();
  await vi.advanceTimersByTimeAsync(0);
  expect(turns).toHaveLength(1);
  turns[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(turns).toHaveLength(2);
  turns[1]?.resolve();
  const ending = end();
  await vi.advanceTimersByTimeAsync(0);
  turns[2]?.resolve();
  await ending;
  begin();
  await vi.advanceTimersByTimeAsync(2000);
  expect(turns).toHaveLength(3);
});

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
