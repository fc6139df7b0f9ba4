import { expect, it, vi } from 'vitest';
import type { ErrorResponse } from '../../../api.ts';
import { resolveAll } from './resolve-all.ts';

const refusal: ErrorResponse = { code: 404, error: { key: 'post_gone', message: '' } };
const links = ['a', 'b', 'c', 'd', 'e', 'f'];

it('resolves four at a time, and keeps the order', async () => {
  const waiting: (() => void)[] = [];
  const resolveOne = vi.fn(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return refusal;
  });
  const responses = resolveAll(links, resolveOne);
  expect(resolveOne.mock.calls.flat()).toEqual(['a', 'b', 'c', 'd']);
  waiting[2]?.();
  await vi.waitFor(() => expect(resolveOne).toHaveBeenCalledTimes(5), 15_000);
  for (let at = 0; at < links.length; at += 1) {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(at), 15_000);
    waiting[at]?.();
  }
  expect(await responses).toEqual(links.map((link) => ({ link, response: refusal })));
});

it('leaves out what does not come in time, and resolves nothing more then', async () => {
  vi.useFakeTimers();
  const resolveOne = vi.fn(async (link: string) =>
    link === 'b' ? refusal : new Promise<ErrorResponse>(() => {}),
  );
  const responses = resolveAll(links, resolveOne);
  await vi.advanceTimersByTimeAsync(6_000);
  expect((await responses).map(({ response }) => response)).toEqual([null, refusal, null, null, null, null]);
  expect(resolveOne).toHaveBeenCalledTimes(5);
  vi.useRealTimers();
});
