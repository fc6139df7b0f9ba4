import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { createRenderQueue } from './render-queue.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** A task that ends on command. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { task: () => promise, end: () => resolve('page') };
}

async function turns(count: number) {
  for (let n = 0; n < count; n += 1) await yieldToEventLoop();
}

test('no two renderings begin in the same turn of the event loop', async () => {
  const { run } = createRenderQueue();
  let begun = 0;
  const all = Promise.all(Array.from({ length: 5 }, () => run(async () => (begun += 1))));
  const seen = [begun];
  for (let n = 0; n < 5; n += 1) {
    await yieldToEventLoop();
    seen.push(begun);
  }
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  for (let n = 1; n < seen.length; n += 1) expect((seen[n] ?? 0) - (seen[n - 1] ?? 0)).toBeLessThanOrEqual(1);
  await all;
  expect(begun).toBe(5);
});

test('limits running and waiting renderings, and refuses more at once with a time to come again', async () => {
  const renderQueue = createRenderQueue({ atOnce: 2, mostWaiting: 3 });
  const works = Array.from({ length: 5 }, held);
  const pages: Promise<string>[] = [];
  for (const { task } of works.slice(0, 2)) pages.push(renderQueue.run(task));
  await turns(5);
  for (const { task } of works.slice(2)) pages.push(renderQueue.run(task));
  expect(renderQueue.isFull).toBe(true);
  const refusal = await renderQueue.run(async () => 'never').catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(Failure);
  expect(refusal).toMatchObject({ key: 'overloaded', retryAfterS: 2 });
  works[0]?.end();
  await turns(5);
  expect(renderQueue.isFull).toBe(false);
  for (const { end } of works) end();
  expect(await Promise.all(pages)).toEqual(Array(5).fill('page'));
});

test('a page that fails frees its place for the next', async () => {
  const { run } = createRenderQueue({ atOnce: 1 });
  const failing = run(() => Promise.reject(new Error('broken')));
  const next = run(async () => 'page');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('page');
});

test('a page that waits for the platform delays no other', async () => {
  const { run, outside } = createRenderQueue({ atOnce: 1 });
  const platform = held();
  const slow = run(() => outside(platform.task));
  expect(await run(async () => 'page')).toBe('page');
  platform.end();
  expect(await slow).toBe('page');
});

test('refuses a page that gets no turn in time, and gives it none afterwards', async () => {
  const { run } = createRenderQueue({ atOnce: 1, patienceMs: 100 });
  const stuck = held();
  const first = run(stuck.task);
  await turns(3);
  const task = vi.fn(async () => 'page');
  const second = run(task);
  const refused = expect(second).rejects.toMatchObject({ key: 'overloaded' });
  vi.advanceTimersByTime(101);
  await refused;
  stuck.end();
  await first;
  expect(await run(async () => 'page')).toBe('page');
  expect(task).not.toHaveBeenCalled();
});
