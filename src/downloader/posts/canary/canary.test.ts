import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { samplePost, sourceAt, variant } from '../../options/testing/sample-post.ts';
import type { Post } from '../../post/post.ts';
import { type CanaryRow, runCanary } from './canary.ts';

test('tries every strategy for the canary', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const strategy = (name: string, outcome: Post | Error) => ({
    name,
    limitMs: 1_000,
    read: () => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)),
  });
  const video = samplePost({ videos: [variant('v')] });
  const rows = runCanary(
    [
      strategy('page', new Failure('platform_blocked', { note: 'challenge page' })),
      strategy('player', video),
      strategy('embed', new TypeError('x of undefined')),
      strategy(
        'reflow',
        samplePost({
          kind: 'photos',
          pictures: [{ width: 1, height: 1, source: sourceAt('p'), motion: null }],
        }),
      ),
      { name: 'stalled', limitMs: 500, read: () => new Promise<Post>(() => {}) },
    ],
    { platform: 'tiktok', id: '7300000000000000001' },
    new AbortController().signal,
    async ({ videos }) => videos.map(({ codec }) => `mp4 ${codec}`),
  );
  const collected = (async () => {
    const all: CanaryRow[] = [];
    for await (const row of rows) all.push(row);
    return all;
  })();
  await vi.advanceTimersByTimeAsync(500);
  expect(await collected).toEqual([
    { name: 'page', ok: false, ms: 0, found: 'platform_blocked', note: 'challenge page', files: [] },
    { name: 'player', ok: true, ms: 0, found: '576x1024 h264', note: '', files: ['mp4 h264'] },
    {
      name: 'embed',
      ok: false,
      ms: 0,
      found: 'post_unreadable',
      note: 'TypeError: x of undefined',
      files: [],
    },
    { name: 'reflow', ok: true, ms: 0, found: 'pictures: 1', note: '', files: [] },
    {
      name: 'stalled',
      ok: false,
      ms: 500,
      found: 'platform_timeout',
      note: 'no answer within 500 ms',
      files: [],
    },
  ]);
});
