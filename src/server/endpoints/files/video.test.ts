import { beforeEach, expect, test, vi } from 'vitest';
import { type JoinedVideoRequest, openJoinedVideo } from '../../../downloader/joining/open-joined-video.ts';
import { Mp4IndexCache } from '../../../downloader/media/mp4-index-cache.ts';
import { BufferSource } from '../../../downloader/media/testing/buffer-source.ts';
import { createFileChooser } from '../../../downloader/options/file-choice.ts';
import {
  samplePost,
  separateSound,
  size720,
  size1080,
  variant,
} from '../../../downloader/options/testing/sample-post.ts';
import type { Post } from '../../../downloader/post/post.ts';
import { type OpenedVideo, openVideo } from '../../../downloader/streaming/video.ts';
import { Failure, type FailureKey } from '../../../failures/failures.ts';
import { openChosenVideo, type VideoParts } from './video.ts';

vi.mock('../../../downloader/joining/open-joined-video.ts', () => ({ openJoinedVideo: vi.fn() }));
vi.mock('../../../downloader/streaming/video.ts', () => ({ openVideo: vi.fn() }));
const [joined, plain] = [vi.mocked(openJoinedVideo), vi.mocked(openVideo)];
const { signal } = new AbortController();

const opened = (size: number) => ({ size, close() {} }) as unknown as OpenedVideo;
beforeEach(() => {
  joined.mockReset().mockResolvedValue(opened(9));
  plain.mockReset().mockResolvedValue(opened(5));
});

const picture = { tracks: 'picture', soundId: 'own' } as const;
const hd = variant('hd', { ...size1080, ...picture, codec: 'h265' });
const separateSounds = [separateSound('own')];
const withHd = samplePost({ videos: [variant('whole'), hd], separateSounds });
const onlyPictures = samplePost({ videos: [variant('only', { ...size720, ...picture })], separateSounds });

/** @param again the post when it is read the second time */
function partsFor(post: Post, again = post) {
  const fileChooser = createFileChooser({
    openSource: () => new BufferSource(Buffer.from('<html>')),
    movies: new Mp4IndexCache(),
    canEncode: () => true,
  });
  const resolve = async (_: unknown, __: unknown, { fresh = false } = {}) => (fresh ? again : post);
  return { fileChooser, resolver: { resolve }, network: {} } as unknown as VideoParts;
}

const open = (parts: VideoParts, variantOf: 'default' | 'hd', post = withHd) =>
  openChosenVideo({ kind: 'video', post, variant: variantOf }, parts, { signal });

test('opens a picture and its sound as one video, and finds each again after the post is read again', async () => {
  const moved = (post: Post): Post => ({
    ...post,
    videos: post.videos.map((one) => ({
      ...one,
      source: { ...one.source, urls: [`new ${one.source.urls[0]}`] },
    })),
    separateSounds: post.separateSounds.map((one) => ({
      ...one,
      source: { ...one.source, urls: ['new sound'] },
    })),
  });
  const parts = partsFor(withHd, moved(withHd));
  await open(parts, 'hd');
  const request = joined.mock.calls[0]?.[0] as JoinedVideoRequest;
  expect([request.picture.source, request.sound.source]).toEqual([hd.source, separateSounds[0]?.source]);
  expect(request.etagOf?.(9)).toBe(`"${withHd.id}-h265-1080x1920-sound-own-9"`);
  expect((await request.picture.refresh?.(signal))?.urls).toEqual(['new hd']);
  expect((await request.sound.refresh?.(signal))?.urls).toEqual(['new sound']);
});

test('does not mistake another part for one that the post no longer has', async () => {
  await open(partsFor(withHd, samplePost({ videos: [variant('whole')] })), 'hd');
  const request = joined.mock.calls[0]?.[0] as JoinedVideoRequest;
  await expect(request.picture.refresh?.(signal)).rejects.toMatchObject({ key: 'media_unavailable' });
});

test.each<FailureKey>(['media_invalid', 'media_unavailable', 'sound_missing'])(
  'does not offer two files again that fail to be joined with %s',
  async (key) => {
    joined.mockRejectedValue(new Failure(key));
    const parts = partsFor(withHd);
    await expect(open(parts, 'hd')).rejects.toMatchObject({ key });
    await expect(open(parts, 'hd')).rejects.toMatchObject({ key: 'option_missing' });
    expect(joined).toHaveBeenCalledOnce();
  },
);

test('an error on the way says nothing about the files', async () => {
  const parts = partsFor(withHd);
  joined.mockRejectedValueOnce(new Failure('platform_timeout'));
  await expect(open(parts, 'hd')).rejects.toMatchObject({ key: 'platform_timeout' });
  await open(parts, 'hd');
  expect(joined).toHaveBeenCalledTimes(2);
});

test('a default that cannot be joined gives way to another file with sound, never to a picture without sound', async () => {
  joined.mockRejectedValue(new Failure('media_invalid'));
  const whole = variant('whole', { codec: 'h265' });
  const parts = partsFor({ ...onlyPictures, videos: [...onlyPictures.videos, whole] });
  await open(parts, 'default');
  expect(plain.mock.calls[0]?.[0].source).toBe(whole.source);
  plain.mockClear();
  await expect(open(partsFor(onlyPictures), 'default')).rejects.toMatchObject({ key: 'media_invalid' });
  expect(plain).not.toHaveBeenCalled();
});

test('finds a whole file again by its properties, or else by its option', async () => {
  const [first] = withHd.videos;
  const elsewhere = variant('elsewhere', { bytes: 7, tracks: 'unknown' });
  await open(partsFor(withHd, samplePost({ videos: [variant('other'), elsewhere] })), 'default');
  const { source, refresh } = plain.mock.calls[0]?.[0] ?? {};
  expect(source).toBe(first?.source);
  expect((await refresh?.(signal))?.urls).toEqual(['other']);
  await open(partsFor(withHd, samplePost({ videos: [elsewhere] })), 'default');
  expect((await plain.mock.calls[1]?.[0].refresh?.(signal))?.urls).toEqual(['elsewhere']);
});
