import { expect, it, vi } from 'vitest';
import type { ErrorResponse } from '../../../api.ts';
import { resolveAll } from './list-answers.ts';

const refusal: ErrorResponse = { code: 404, error: { key: 'post_gone', message: '' } };
const links = ['a', 'b', 'c', 'd', 'e', 'f'];

it('asks for four at a time, and keeps the order', async () => {
  const waiting: (() => void)[] = [];
  const ask = vi.fn(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return refusal;
  });
  const answers = resolveAll(links, ask);
  expect(ask.mock.calls.flat()).toEqual(['a', 'b', 'c', 'd']);
  waiting[2]?.();
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(5));
  for (let at = 0; at < links.length; at += 1) {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(at));
    waiting[at]?.();
  }
  expect(await answers).toEqual(links.map((link) => ({ link, answer: refusal })));
});

it('leaves out what does not come in time, and asks for nothing more then', async () => {
  vi.useFakeTimers();
  const ask = vi.fn(async (link: string) => (link === 'b' ? refusal : new Promise<ErrorResponse>(() => {})));
  const answers = resolveAll(links, ask);
  await vi.advanceTimersByTimeAsync(6_000);
  expect((await answers).map(({ answer }) => answer)).toEqual([null, refusal, null, null, null, null]);
  expect(ask).toHaveBeenCalledTimes(5);
  vi.useRealTimers();
});
