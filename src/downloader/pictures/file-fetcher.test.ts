import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ByteBudget } from './file-fetcher.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;
const settled = async (promise: Promise<unknown>) => {
  let how = 'waits';
  promise.then(
    () => (how = 'taken'),
    (error: unknown) => (how = error instanceof Error ? error.message : 'failed'),
  );
  await vi.advanceTimersByTimeAsync(0);
  return how;
};

test('a caller without room waits until there is some, in order of arrival', async () => {
  const budget = new ByteBudget(100, 1000);
  const release = await budget.take(80, never);
  const large = budget.take(60, never);
  const small = budget.take(10, never);
  expect(await settled(large)).toBe('waits');
  expect(await settled(small)).toBe('waits');
  release();
  release();
  expect(await settled(large)).toBe('taken');
  expect(await settled(small)).toBe('taken');
  expect(await settled(budget.take(40, never))).toBe('waits');
});

test('refuses a caller who waits too long, forgets one who leaves, and admits those behind', async () => {
  const budget = new ByteBudget(100, 1000);
  await budget.take(60, never);
  const visitor = new AbortController();
  const leaving = budget.take(90, visitor.signal);
  leaving.catch(() => {});
  const behind = budget.take(40, never);
  visitor.abort(new Error('left'));
  expect(await settled(leaving)).toBe('left');
  expect(await settled(behind)).toBe('taken');
  const refused = expect(budget.take(1, never)).rejects.toMatchObject({ key: 'overloaded', retryAfterS: 5 });
  await vi.advanceTimersByTimeAsync(1000);
  await refused;
});
