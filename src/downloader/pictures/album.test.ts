import { describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { MediaSource, Picture, Post } from '../post/post.ts';
import { type AlbumReader, readAlbum } from './album.ts';

const at = (url: string): MediaSource => ({ urls: [url], headers: {}, expiresAt: 0 });
const slide = (picture: string | null, motion: string | null = null): Picture => ({
  width: 0,
  height: 0,
  source: picture === null ? null : at(picture),
  motion: motion === null ? null : at(motion),
});
const album = (...pictures: Picture[]): Post => ({
  platform: 'tiktok',
  id: '7000000000000000001',
  url: 'https://www.tiktok.com/@ferry/photo/7000000000000000001',
  kind: 'photos',
  author: { handle: 'ferry', name: 'Ferry' },
  title: '',
  durationS: 0,
  cover: null,
  createdAt: null,
  videos: [],
  separateSounds: [],
  pictures,
  sound: null,
  song: null,
  soundMeasured: false,
  savingAllowed: true,
  readBy: 'page',
});
const { signal } = new AbortController();

/** The result of reading an album whose files at these addresses fail. */
function readerOf(
  faults: Record<string, Failure | 'never'>,
  again: Post | Failure = new Failure('post_gone'),
) {
  const requested: string[] = [];
  const reads: number[] = [];
  const reader: AlbumReader<string> = {
    limitMs: 20,
    lostMs: 50,
    resolver: {
      resolve: () => {
        reads.push(1);
        return again instanceof Failure ? Promise.reject(again) : Promise.resolve(again);
      },
    },
    read: async (_, { urls: [url = ''] }, limited) => {
      requested.push(url);
      const fault = faults[url];
      if (fault === 'never')
        return new Promise((_resolve, reject) => {
          limited.addEventListener('abort', () => reject(limited.reason));
        });
      if (fault !== undefined) throw fault;
      return url;
    },
  };
  return {
    requested,
    rereads: () => reads.length,
    async all(post: Post) {
      const parts: string[] = [];
      for await (const part of readAlbum(reader, post, signal))
        parts.push(
          `${part.index} ${part.part} ${'result' in part ? part.result : `missing: ${part.missing.key}`}`,
        );
      return parts;
    },
  };
}

describe('an album', () => {
  it('contains every part of every slide in order, each under the number of its slide', async () => {
    const post = album(slide('a'), slide('b', 'b.mp4'), slide(null, 'c.mp4'), slide(null), slide('e'));
    expect(await readerOf({}).all(post)).toEqual([
      '0 picture a',
      '1 picture b',
      '1 motion b.mp4',
      '2 motion c.mp4',
      '3 picture missing: option_missing',
      '4 picture e',
    ]);
  });

  it('continues after an unavailable part', async () => {
    const faults = { a: new Failure('media_invalid'), b: new Failure('platform_timeout') };
    expect(await readerOf(faults).all(album(slide('a'), slide('b'), slide('c')))).toEqual([
      '0 picture missing: media_invalid',
      '1 picture missing: platform_timeout',
      '2 picture c',
    ]);
  });

  it('requests nothing twice when it is read again and has the same addresses', async () => {
    const post = album(slide('a'), slide('b'));
    const refused = new Failure('media_unavailable');
    const reader = readerOf({ a: refused, b: refused }, post);
    expect(await reader.all(post)).toEqual([
      '0 picture missing: media_unavailable',
      '1 picture missing: media_unavailable',
    ]);
    expect(reader.requested).toEqual(['a', 'b']);
  });

  it('is read again once for fresh addresses, whatever is refused after that', async () => {
    const refused = new Failure('media_unavailable');
    const reader = readerOf(
      { a: refused, b: refused, B: refused, c: refused },
      album(slide('A'), slide('B'), slide('C')),
    );
    expect(await reader.all(album(slide('a'), slide('b'), slide('c')))).toEqual([
      '0 picture A',
      '1 picture missing: media_unavailable',
      '2 picture C',
    ]);
    expect(reader.rereads()).toBe(1);
  });

  it('keeps its addresses when the platform does not return the post again', async () => {
    const reader = readerOf({ a: new Failure('media_unavailable') }, new Failure('platform_blocked'));
    expect(await reader.all(album(slide('a'), slide('b')))).toEqual([
      '0 picture missing: media_unavailable',
      '1 picture b',
    ]);
  });

  it.each([
    ['a takedown meanwhile', { a: new Failure('media_unavailable') }, 'post_withheld'],
    ['what is wrong with this machine', { a: new Failure('overloaded') }, 'overloaded'],
  ] as const)('ends at %s', async (_, faults, key) => {
    const reader = readerOf(faults, new Failure('post_withheld'));
    await expect(reader.all(album(slide('a'), slide('b')))).rejects.toMatchObject({ key });
  });

  it('limits how long it waits in total for missing parts', async () => {
    const slides = 'abcdefgh'.split('').map((name) => slide(name));
    const reader = readerOf(Object.fromEntries(slides.map(({ source }) => [source?.urls[0], 'never'])));
    expect(await reader.all(album(...slides))).toHaveLength(8);
    expect(reader.requested.length).toBeLessThan(5);
  });
});
