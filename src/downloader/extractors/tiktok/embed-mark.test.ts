import { describe, expect, it, vi } from 'vitest';
import type { Post } from '../../post/post.ts';
import embed from './cases/embed.json' with { type: 'json' };
import videoItem from './cases/video-item.json' with { type: 'json' };
import { EmbedMark } from './embed-mark.ts';
import { createTiktokExtractor } from './extractor.ts';
import {
  embedPage,
  embedUrl,
  fakeNetwork,
  itemPage,
  never,
  now,
  pageUrl,
  phoneUrl,
  videoReference,
} from './testing/platform-fake.ts';

const host = 'https://v16m.tiktokcdn-us.com/0123456789abcdef0123456789abcdef/6f000000/video/tos';
const postOf = (id: string, url: string) =>
  ({ id, videos: [{ source: { urls: [url] } }] }) as unknown as Post;
const isMarked = ({ videos }: Post) => videos.map(({ mayBeMarked }) => mayBeMarked === true);

describe('EmbedMark', () => {
  it('knows a file by its key, whatever its host, signature and folder', () => {
    const compared = vi.fn();
    const mark = new EmbedMark(compared);
    mark.page('1', [
      'https://www.tiktok.com/aweme/v1/play/?file_id=a',
      `${host}/bucket/a/?a=1`,
      `${host}/b/?a=1`,
    ]);
    expect(isMarked(mark.embed(postOf('1', `https://v19.tiktokcdn.com/video/tos/a/?b=2`)))).toEqual([false]);
    expect(compared.mock.calls).toEqual([[{ id: '1', isSame: true }]]);
  });

  it('takes every file of the embed page for marked from another one on, until the end', () => {
    const compared = vi.fn();
    const mark = new EmbedMark(compared);
    expect(isMarked(mark.embed(postOf('2', `${host}/x/`)))).toEqual([false]);
    mark.page('1', [`${host}/a/`]);
    expect(isMarked(mark.embed(postOf('1', `${host}/other/`)))).toEqual([true]);
    expect(isMarked(mark.embed(postOf('2', `${host}/x/`)))).toEqual([true]);
    mark.page('3', [`${host}/a/`]);
    expect(isMarked(mark.embed(postOf('3', `${host}/a/`)))).toEqual([true]);
    expect(compared.mock.calls.map(([{ isSame }]) => isSame)).toEqual([false, true]);
  });

  it('compares nothing where the page or the embed page has no key', () => {
    const compared = vi.fn();
    const mark = new EmbedMark(compared);
    mark.page('1', ['https://www.tiktok.com/aweme/v1/play/?file_id=a']);
    mark.embed(postOf('1', `${host}/a/`));
    mark.page('2', [`${host}/a/`]);
    mark.embed(postOf('2', 'https://www.tiktok.com/aweme/v1/play/?file_id=b'));
    expect(compared).not.toHaveBeenCalled();
  });

  it('remembers a hundred posts', () => {
    const compared = vi.fn();
    const mark = new EmbedMark(compared);
    for (let id = 0; id < 101; id += 1) mark.page(String(id), [`${host}/a/`]);
    for (const id of ['0', '1']) mark.embed(postOf(id, `${host}/a/`));
    expect(compared.mock.calls).toEqual([[{ id: '1', isSame: true }]]);
  });
});

function extractor(embedFile: string) {
  const { network, requests } = fakeNetwork({
    [pageUrl]: { body: itemPage(videoItem) },
    [phoneUrl]: { body: itemPage(videoItem) },
    [embedUrl]: { body: embedPage(JSON.parse(JSON.stringify(embed).replace('key540', embedFile))) },
  });
  const embedCompared = vi.fn();
  const shape = vi.fn();
  const observers = {
    unreadable: { embedCompared, answer: () => {}, post: () => {} },
    readings: { shape, answered: () => {}, asked: () => {} },
  };
  const made = createTiktokExtractor({ network, now: () => now, ...observers });
  const asked = () => requests.filter(({ url }) => url.startsWith(embedUrl)).length;
  return { made, asked, embedCompared, shape };
}

describe('beside one page in a hundred the embed page is asked', () => {
  it('and its file is one of the page', async () => {
    const { made, asked, embedCompared, shape } = extractor('key540');
    for (let count = 1; count < 100; count += 1) await made.read(videoReference, never);
    expect(asked()).toBe(0);
    await made.read(videoReference, never);
    await vi.waitFor(() => expect(embedCompared).toHaveBeenCalledTimes(1));
    expect(embedCompared).toHaveBeenCalledWith({ platform: 'tiktok', id: videoReference.id, isSame: true });
    expect(asked()).toBe(1);
    expect(shape.mock.calls.filter(([{ strategy }]) => strategy === 'tiktok/embed')).toEqual([]);
  });

  it('or it is another, which may be marked', async () => {
    const { made, embedCompared, shape } = extractor('marked');
    const [page, , byEmbed] = made.strategies;
    await page?.read(videoReference, never);
    const post = await byEmbed?.read(videoReference, never);
    expect(post?.videos.map(({ mayBeMarked }) => mayBeMarked)).toEqual([true]);
    expect(embedCompared).toHaveBeenCalledWith({ platform: 'tiktok', id: videoReference.id, isSame: false });
    expect(shape).toHaveBeenCalledWith({
      strategy: 'tiktok/embed',
      shape: { kind: 'value', name: 'embed.file=another' },
      example: videoReference.id,
    });
  });
});
