import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import type { Pictures } from '../../pictures/pictures.ts';
import type { Post } from '../../post/post.ts';
import { createCoverReader } from './cover.ts';

const never = new AbortController().signal;
const source = (url: string) => ({ urls: [url], headers: {}, expiresAt: 0 });
const post = { cover: source('c'), song: null } as unknown as Post;

const shrink: Pictures['shrink'] = (bytes, width) => sharp(bytes).resize({ width }).jpeg().toBuffer();
const held = (bytes: Buffer) => async () => ({ bytes, type: 'image/jpeg' as const, release: () => {} });

function setUp(jpeg: Pictures['jpeg'], more: { limitMs?: number; maxBytes?: number } = {}) {
  const missing: unknown[] = [];
  const read = createCoverReader({
    pictures: { jpeg, shrink },
    onMissing: (error) => void missing.push(error),
    ...more,
  });
  return { read, missing };
}

/** Noise, which JPEG cannot make small. */
const noisy = (width: number) =>
  sharp({
    create: {
      width,
      height: width,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer();

it('keeps a cover of a suitable size unchanged', async () => {
  const bytes = await noisy(64);
  const { read } = setUp(held(bytes));
  expect(await read(post, never)).toEqual({ mime: 'image/jpeg', bytes });
  expect(await read({ ...post, cover: null }, never)).toBeNull();
});

it("takes a song's own cover before the post's", async () => {
  const requested: (string | undefined)[] = [];
  const { read } = setUp(async ({ urls: [url] }) => {
    requested.push(url);
    return held(await noisy(8))();
  });
  const song = { title: 't', artist: 'a', isOriginal: false, cover: source('song') };
  for (const one of [song, { ...song, cover: null }, { ...song, isOriginal: true }, null])
    await read({ ...post, song: one }, never);
  expect(requested).toEqual(['song', 'c', 'c', 'c']);
});

it('shrinks a large cover', async () => {
  const bytes = await noisy(900);
  const { read, missing } = setUp(held(bytes), {
    maxBytes: bytes.length - 1,
  });
  const cover = await read(post, never);
  expect((await sharp(cover?.bytes).metadata()).width).toBe(600);
  expect(missing).toEqual([]);
});

it('continues without a cover that fails, stays too large or arrives too late, and logs why', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const failing = setUp(async () => {
    throw new Failure('media_unavailable');
  });
  expect(await failing.read(post, never)).toBeNull();
  expect(failing.missing).toMatchObject([{ key: 'media_unavailable' }]);

  const bytes = await noisy(300);
  const large = setUp(held(bytes), { maxBytes: 1000 });
  expect(await large.read(post, never)).toBeNull();
  expect(large.missing).toMatchObject([{ key: 'media_invalid' }]);

  const late = setUp(
    (_source, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const reading = late.read(post, never);
  vi.advanceTimersByTime(1000);
  expect(await reading).toBeNull();
  expect(late.missing).toMatchObject([{ key: 'platform_timeout' }]);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('ends with the conversion', async () => {
  const stop = new AbortController();
  const { read, missing } = setUp(
    (_source, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const reading = read(post, stop.signal);
  stop.abort(new Failure('conversion_cancelled'));
  await expect(reading).rejects.toThrow('conversion_cancelled');
  expect(missing).toEqual([]);
});
