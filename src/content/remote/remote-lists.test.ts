import { expect, test, vi } from 'vitest';
import type { BackendClient } from '../../http-client/client.ts';
import { isStandIn } from '../stand-in.ts';
import { createRemoteLists } from './remote-lists.ts';

const article = (id: number) => ({
  ...{ id, language: 'en', slug: `article-${id}`, title: 'An article', author: 'editors' },
  published_at: '2026-11-21T08:00:00Z',
});

/** A server with so many articles that gives ten at most; null for one that is away. */
function listsOf(count: number | null) {
  const get = vi.fn(async (_: string, { start, len }: Record<string, string | number>) => {
    if (count === null) throw new Error('away');
    const all = Array.from({ length: count }, (_, at) => article(at + 1));
    const some = all.slice(Number(start), Number(start) + Math.min(Number(len), 10));
    return { hot: some, top: some, recently: some };
  });
  const lists = createRemoteLists({ get } as unknown as BackendClient, 'https://site.example', () => {});
  return { get, lists };
}

const wanted = (size: number, start = 0) => ({ locale: 'en', start, size });

test.each([
  [3, 30, 3, [0]],
  [10, 30, 10, [0]],
  [15, 30, 15, [0, 10]],
  [15, 12, 12, [0, 10]],
  [15, 7, 7, [0]],
])('asks for ten articles at a time: %d of %d', async (size, there, given, starts) => {
  const { get, lists } = listsOf(there);
  const { hot, top, recently } = await lists.selection(wanted(size));
  for (const list of [hot, top, recently])
    expect(list.map(({ id }) => id)).toEqual(Array.from({ length: given }, (_, at) => at + 1));
  expect(get.mock.calls.map(([, query]) => [query.start, query.len])).toEqual(starts.map((at) => [at, 10]));
  // Lists of other lengths are parts of what is there.
  await lists.selection(wanted(2));
  expect(get).toHaveBeenCalledTimes(starts.length);
});

test('marks what stands in for the lists of a server that is away', async () => {
  const { lists } = listsOf(null);
  expect(isStandIn(await lists.selection(wanted(15)))).toBe(true);
  expect(isStandIn(await lists.categories('en'))).toBe(true);
  const there = listsOf(1);
  expect(isStandIn(await there.lists.selection(wanted(15)))).toBe(false);
});
