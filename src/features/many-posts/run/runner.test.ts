import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorResponse, ResolveResponse } from '../../../site/api.ts';
import { type Run, type RunPost, type RunView, waitingPost } from './run.ts';
import { Runner } from './runner.ts';
import { manifestOf } from './targets.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const run: Run = { begunAt: 0, format: 'mp4', folder: null, name: 'site', zips: 0, template: null };

function answerOf(id: string): ResolveResponse {
  const option = {
    id: 'mp4',
    format: 'mp4',
    href: `/api/files/${id}`,
    label: '',
    codec: null,
    width: null,
    height: null,
    bytes: null,
  } as const;
  const author = { handle: 'ann', name: '' };
  return {
    code: 200,
    result: {
      post: {
        platform: 'tiktok',
        id,
        url: '',
        kind: 'video',
        author,
        title: '=1+1',
        duration_s: 1,
        cover_url: null,
        created_at: null,
      },
      options: [option],
    },
  };
}

const refused = (key: string, seconds?: number): ErrorResponse => ({
  code: 429,
  error: { key, message: `${key}!`, ...(seconds !== undefined && { retry_after_s: seconds }) },
});

type Answer = ResolveResponse | ErrorResponse | Error;

/** A run of posts `1`, `2` …, of which the site says what a test wants. */
function start(count: number, answer: (link: string, time: number) => Answer, save?: () => Promise<void>) {
  const notes = new Map<number, RunPost>();
  const asked: { readonly link: string; readonly at: number }[] = [];
  let [open, most] = [0, 0];
  let view: RunView | null = null;
  const began = Date.now();
  const times = new Map<string, number>();
  const note = async (post: RunPost) => void notes.set(post.n, post);
  const runner = new Runner({
    run,
    posts: Array.from({ length: count }, (_, at) =>
      waitingPost({ link: `${at + 1}`, section: 'likes', date: null }, at),
    ),
    pace: { posts: 60 / 0.9, files: 6000 },
    store: { put: note },
    target: {
      async save(path) {
        await save?.();
        return { path, size: 5 };
      },
      commit: note,
      settle: async () => {},
    },
    async resolve(link) {
      open += 1;
      most = Math.max(most, open);
      asked.push({ link, at: Date.now() - began });
      const time = (times.get(link) ?? 0) + 1;
      times.set(link, time);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      open -= 1;
      const given = answer(link, time);
      if (given instanceof Error) throw given;
      return given;
    },
    fetch: async () => new Response('bytes', { headers: { 'content-type': 'video/mp4' } }),
    onChange: (changed) => {
      view = changed;
    },
    onError: (thrown) => {
      throw thrown;
    },
  });
  runner.start();
  return { runner, notes, asked, most: () => most, view: () => view as unknown as RunView };
}

const states = (posts: readonly RunPost[]) => posts.map(({ state }) => state);
const minutes = (n: number) => vi.advanceTimersByTimeAsync(n * 60_000);

test('posts are read at the granted pace, four at a time at most', async () => {
  const { view, asked, most, notes } = start(8, answerOf);
  await minutes(1);
  expect(view().phase).toBe('done');
  expect(most()).toBe(4);
  expect(asked.map(({ at }) => at).slice(0, 4)).toEqual([0, 1000, 2000, 3000]);
  expect([...notes.values()].flatMap(({ files }) => files)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `ann-${n}.mp4`),
  );
});

test('a limit is waited for as told, by all posts, and costs none a try', async () => {
  const { view, asked } = start(6, (link, time) =>
    link === '1' && time === 1 ? refused('rate_limited', 90) : answerOf(link),
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(view().hold).toMatchObject({ message: 'rate_limited!' });
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(84_000);
  expect(asked.length).toBe(before);
  await minutes(1);
  expect(states(view().posts)).toEqual(Array(6).fill('saved'));
  expect(view().posts[0]?.tries).toBe(0);
});

test('a post that is gone fails at once, one of a troubled platform after three tries, and is tried again on demand', async () => {
  let isShut = true;
  const { view, asked, runner } = start(5, (link) => {
    if (link === '2') return refused('post_gone');
    return isShut && link !== '5' ? refused('platform_timeout') : answerOf(link);
  });
  await minutes(10);
  expect(states(view().posts)).toEqual(['failed', 'failed', 'failed', 'failed', 'saved']);
  expect(asked.filter(({ link }) => link === '2')).toHaveLength(1);
  expect(asked.filter(({ link }) => link === '1')).toHaveLength(3);
  isShut = false;
  await runner.retry();
  await minutes(2);
  expect(states(view().posts)).toEqual(['saved', 'failed', 'saved', 'saved', 'saved']);
  const { 'posts.csv': csv = '', 'posts.json': json = '' } = manifestOf(view().posts);
  expect(csv.split('\r\n')[2]).toBe('2,,2,likes,failed,post_gone,,,,,');
  expect(csv.split('\r\n')[3]).toBe("3,,3,likes,saved,,ann,'=1+1,,ann-3.mp4,");
  expect(JSON.parse(json)).toHaveLength(5);
});

test('it pauses, skips and goes on', async () => {
  const { view, asked, runner } = start(7, answerOf);
  await vi.advanceTimersByTimeAsync(3500);
  void runner.skip(2);
  runner.pause();
  await minutes(5);
  expect(asked.length).toBe(4);
  expect(states(view().posts).slice(0, 5)).toEqual(['saved', 'skipped', 'saved', 'saved', 'waiting']);
  runner.start();
  await minutes(5);
  expect(view().phase).toBe('done');
});

test('without a connection it waits, and without room it stands still', async () => {
  let isFull = true;
  const save = async () => {
    if (isFull) throw new DOMException('full', 'QuotaExceededError');
  };
  const { view, runner } = start(
    1,
    (link, time) => (time < 3 ? new TypeError('no line') : answerOf(link)),
    save,
  );
  await vi.advanceTimersByTimeAsync(6000);
  expect(view().hold).toMatchObject({ message: null });
  runner.online();
  await minutes(2);
  expect(view()).toMatchObject({ phase: 'paused', why: 'storage' });
  isFull = false;
  runner.start();
  await minutes(1);
  expect(states(view().posts)).toEqual(['saved']);
});

test('two links to one post have one file', async () => {
  const { view } = start(6, (link) => answerOf(link === '6' ? '1' : link));
  await minutes(1);
  expect(view().posts[5]).toMatchObject({ state: 'saved', files: [], sameAs: 1 });
  expect(JSON.parse(manifestOf(view().posts)['posts.json'] ?? '')[5].files).toEqual(['ann-1.mp4']);
});
