import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { Failure, type FailureKey } from '../../../failures/failures.ts';
import type { Post } from '../../post/post.ts';
import embed from './cases/embed.json' with { type: 'json' };
import player from './cases/player.json' with { type: 'json' };
import videoItem from './cases/video-item.json' with { type: 'json' };
import { createTiktokExtractor } from './extractor.ts';
import {
  challengePage,
  detailPage,
  embedPage,
  embedUrl,
  fakeNetwork,
  faultOf,
  itemPage,
  never,
  now,
  oembedUrl,
  page,
  pageUrl,
  phoneUrl,
  playerUrl,
  videoReference,
} from './testing/platform-fake.ts';

const blocked = { body: challengePage };
const goodPlayer = { body: JSON.stringify(player) };
const goodEmbed = { body: embedPage(embed) };
const goneEmbed = { status: 400 };
const bareGone = { body: detailPage({ itemInfo: {}, statusCode: 10204, statusMsg: "item doesn't exist" }) };
const noItem = {
  body: JSON.stringify({
    status_code: 0,
    items: null,
    results: [{ id_str: videoReference.id, code: 'nil_core_data' }],
  }),
};

type Routes = Parameters<typeof fakeNetwork>[0];

/** The page for phones answers like the one for desktops, unless it has its own route. */
function extractorWith(routes: Routes) {
  const { network, requests } = fakeNetwork({ [phoneUrl]: routes[pageUrl] ?? blocked, ...routes });
  return { extractor: createTiktokExtractor({ network, now: () => now }), requests };
}

async function read(routes: Routes): Promise<Post | FailureKey> {
  try {
    const post = await extractorWith(routes).extractor.read(videoReference, never);
    expect(faultOf(post)).toBeNull();
    return post;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.key;
    throw thrown;
  }
}

it('reads the player API when the page is blocked', async () => {
  const post = await read({ [pageUrl]: blocked, [playerUrl]: goodPlayer });
  expect(post).toMatchObject({
    readBy: 'player',
    title: 'First try at the new recipe',
    author: { handle: 'invented.cook' },
    durationS: 17.2,
    createdAt: 1_700_000_030,
    videos: [
      { codec: 'h264', width: 720, height: 1280, bytes: 4_000_000 },
      { codec: 'h264', width: 576, height: 1024 },
    ],
  });
});

it('reads captions and H.265 from the player API, in whichever spelling', async () => {
  const [item] = player.items;
  const caption = (name: string) => `https://v16m.tiktokcdn-us.com/0123/6f000000/video/tos/${name}/?a=1988`;
  const video_info = {
    ...item?.video_info,
    profiles: [
      ...(item?.video_info.profiles ?? []),
      {
        gear_name: 'adapt_lowest_1080_1',
        codec_type: 'bytevc1',
        bitrate: 1_200_000,
        play_addr: { url_list: [caption('key1080')], width: 1080, height: 1920, data_size: 3_000_000 },
      },
    ],
    subtitle_infos: [{ language_code_name: 'eng-US', source: 'ASR', format: 'webvtt', url: caption('en') }],
    cla_info: {
      caption_infos: [
        { lang: 'deu-DE', is_auto_generated: true, is_original_caption: false, url_list: [caption('de')] },
        { lang: 5, url: {} },
        'no caption',
      ],
    },
  };
  const post = await read({
    [pageUrl]: blocked,
    [playerUrl]: { body: JSON.stringify({ ...player, items: [{ ...item, video_info }] }) },
  });
  expect(post).toMatchObject({
    isThin: true,
    videos: [{ height: 1280 }, { codec: 'h265', width: 1080, height: 1920 }, { height: 1024 }],
    captions: [
      { language: 'en-US', origin: 'speech' },
      { language: 'de-DE', origin: 'translation' },
    ],
  });
});

it('calls a video thin whose answer may leave something out, and no slideshow', async () => {
  const pageOf = (video: object) => ({
    body: detailPage({ statusCode: 0, itemInfo: { itemStruct: { ...videoItem, video } } }),
  });
  const isThin = async (answers: Parameters<typeof read>[0]) => {
    const post = await read(answers);
    return typeof post === 'string' ? post : post.isThin === true;
  };
  expect(await isThin({ [pageUrl]: pageOf(videoItem.video) })).toBe(false);
  expect(await isThin({ [pageUrl]: pageOf({ ...videoItem.video, bitrateInfo: [] }) })).toBe(true);
  expect(await isThin({ [pageUrl]: blocked, [playerUrl]: goodPlayer })).toBe(true);
  expect(await isThin({ [pageUrl]: blocked, [playerUrl]: blocked, [embedUrl]: goodEmbed })).toBe(true);
});

it('reads a slideshow from the player API', async () => {
  const urls = ['https://p16-common-sign.tiktokcdn-us.com/tos/a.jpeg?x-expires=1900000000'];
  const item = {
    ...player.items[0],
    image_post_info: {
      images: [
        {
          display_image: { url_list: urls, width: 1080, height: 1350 },
          owner_watermark_image: { url_list: ['https://p16-common-sign.tiktokcdn-us.com/watermarked'] },
        },
      ],
    },
    music_info: {
      title: 't',
      author: 'a',
      duration: 12,
      play_url: { url_list: ['https://sf16-music.tiktokcdn.com/x.mp3'] },
    },
  };
  const post = await read({
    [pageUrl]: blocked,
    [playerUrl]: { body: JSON.stringify({ ...player, items: [item] }) },
  });
  expect(post).not.toHaveProperty('isThin');
  expect(post).toMatchObject({
    kind: 'photos',
    videos: [],
    durationS: 12,
    sound: { durationS: 12 },
    pictures: [{ width: 1080 }],
  });
});

it('tries the next strategy for a post that the page shows to adults only', async () => {
  const adults = {
    body: detailPage({ itemInfo: {}, statusCode: 10204, statusMsg: 'content_classification' }),
  };
  expect(await read({ [pageUrl]: adults, [playerUrl]: goodPlayer })).toMatchObject({ readBy: 'player' });
});

it('reads the embed page when the player API fails too', async () => {
  const post = await read({ [pageUrl]: blocked, [playerUrl]: { status: 503 }, [embedUrl]: goodEmbed });
  expect(post).toMatchObject({
    readBy: 'embed',
    durationS: 17,
    videos: [{ codec: 'h264', width: 576, height: 1024 }],
  });
});

it('reads the page for phones when the one for desktops is blocked', async () => {
  const detail = JSON.stringify({ videoDetail: { statusCode: 0, itemInfo: { itemStruct: videoItem } } });
  const { extractor, requests } = extractorWith({
    [pageUrl]: blocked,
    [phoneUrl]: { body: `<script id="api-data">${detail}</script>` },
  });
  expect((await extractor.read(videoReference, never)).readBy).toBe('page');
  expect(requests.map(({ url, hosts }) => [new URL(url).hostname, hosts])).toEqual([
    ['www.tiktok.com', 'tiktok/page'],
    ['m.tiktok.com', 'tiktok/page'],
  ]);
  // From then on it is the first.
  await extractor.read(videoReference, never);
  expect(requests.at(-1)?.url).toContain('m.tiktok.com');
  expect(requests).toHaveLength(3);
});

describe('what no strategy can read', () => {
  const exists = {
    body: JSON.stringify({
      title: 'x',
      author_name: 'y',
      html: '<blockquote>',
      embed_product_id: videoReference.id,
    }),
  };
  test.each<[string, Routes, FailureKey]>([
    [
      'a post that is gone',
      { [pageUrl]: bareGone, [playerUrl]: noItem, [oembedUrl]: { status: 400 } },
      'post_gone',
    ],
    [
      'a post that oEmbed still knows',
      { [pageUrl]: bareGone, [playerUrl]: noItem, [oembedUrl]: exists },
      'post_region_blocked',
    ],
    [
      'a gone post with oEmbed blocked',
      { [pageUrl]: bareGone, [playerUrl]: noItem, [oembedUrl]: blocked },
      'post_gone',
    ],
    [
      'blocked everywhere',
      { [pageUrl]: blocked, [playerUrl]: blocked, [embedUrl]: blocked },
      'platform_blocked',
    ],
    [
      'nothing according to player and embed, after a page that was blocked',
      { [pageUrl]: blocked, [playerUrl]: noItem, [embedUrl]: goneEmbed },
      'platform_blocked',
    ],
    [
      'nothing according to player and embed, after the code of an error on the page',
      {
        [pageUrl]: { body: detailPage({ itemInfo: {}, statusCode: 10101, statusMsg: 'SysErrPanic' }) },
        [playerUrl]: noItem,
        [embedUrl]: goneEmbed,
      },
      'platform_failed',
    ],
    [
      'a private post whose desktop page is blocked',
      {
        [pageUrl]: blocked,
        [phoneUrl]: {
          body: page({
            'webapp.reflow.video.detail': { statusCode: 10204, statusMessage: 'status_self_see' },
          }),
        },
        [playerUrl]: noItem,
        [embedUrl]: goneEmbed,
      },
      'post_private',
    ],
    [
      'for adults everywhere',
      {
        [pageUrl]: { body: detailPage({ itemInfo: {}, statusCode: 10213, statusMsg: '' }) },
        [playerUrl]: noItem,
        [embedUrl]: goneEmbed,
      },
      'post_age_restricted',
    ],
    [
      'a busy player',
      {
        [pageUrl]: { status: 500 },
        [playerUrl]: { body: '{"items":[],"results":[{"code":"api_busy"}]}' },
        [embedUrl]: { status: 500 },
      },
      'platform_failed',
    ],
    [
      'throttled',
      { [pageUrl]: { status: 429 }, [playerUrl]: { status: 429 }, [embedUrl]: { status: 429 } },
      'platform_throttled',
    ],
    [
      'an embed page of another shape',
      {
        [pageUrl]: { status: 500 },
        [playerUrl]: { body: '{"status_code":5}' },
        [embedUrl]: { body: embedPage({ source: {} }) },
      },
      'platform_failed',
    ],
  ])('%s', async (_, routes, key) => {
    expect(await read(routes)).toBe(key);
  });

  it('confirms a bare refusal once and no more', async () => {
    const { extractor, requests } = extractorWith({
      [pageUrl]: bareGone,
      [playerUrl]: noItem,
      [oembedUrl]: { status: 400 },
    });
    await extractor.read(videoReference, never).catch(() => undefined);
    expect(requests.map((request) => request.url.slice(0, 32))).toHaveLength(3);
  });
});

describe('setting the clock', () => {
  const year = 365 * 86_400_000;
  afterEach(() => void vi.useRealTimers());

  it.each([year, -year])('by %d ms and back closes no strategy for longer', async (jump) => {
    vi.useFakeTimers({ now });
    let works = false;
    const { network } = fakeNetwork({
      [pageUrl]: () => (works ? { body: itemPage(videoItem) } : blocked),
      [phoneUrl]: blocked,
      [playerUrl]: blocked,
      [embedUrl]: blocked,
    });
    const extractor = createTiktokExtractor({ network });
    const state = () => extractor.states().find(({ name }) => name === 'tiktok/page')?.state;
    const resting = () =>
      extractor.agents().some(({ strategy, resting }) => strategy === 'tiktok/page' && resting);

    vi.setSystemTime(now + jump);
    for (let index = 0; index < 5; index++) {
      const reference = { ...videoReference, id: `730123456789012345${index}` };
      await extractor.read(reference, never, `network ${index}`).catch(() => undefined);
    }
    vi.setSystemTime(now);
    expect([state(), resting()]).toEqual(['open', true]);
    works = true;
    vi.advanceTimersByTime(30_000);
    expect((await extractor.read(videoReference, never)).readBy).toBe('page');
    expect(state()).toBe('closed');
  });
});

it('names its user agents for the metrics, each by the strategy that uses it', async () => {
  const { network } = fakeNetwork({ [pageUrl]: { status: 403 }, [phoneUrl]: { body: itemPage(videoItem) } });
  const extractor = createTiktokExtractor({ network, userAgents: ['Site/1', 'Site/2'] });
  await extractor.read(videoReference, never);
  const page = extractor.agents().filter(({ strategy }) => strategy === 'tiktok/page');
  expect(page.map(({ identity, http }) => `${identity} ${http}`)).toEqual([
    ...['operator-1 1.1', 'operator-2 1.1', 'iphone 2', 'android 2', 'own-name 1.1'],
    ...['iphone 1.1', 'android 1.1'],
  ]);
  expect(page[0]).toMatchObject({ agent: 'Site/1', answered: 0, refused: 1, resting: true });
  expect(page[2]).toMatchObject({ answered: 1, refused: 0, resting: false });
  expect(new Set(extractor.agents().map(({ strategy }) => strategy))).toEqual(
    new Set(['page', 'player', 'embed', 'oembed', 'short-link', 'list'].map((name) => `tiktok/${name}`)),
  );
});

it('names its strategies for the metrics', () => {
  const names = extractorWith({})
    .extractor.states()
    .map(({ name }) => name);
  expect(names).toEqual(['page', 'player', 'embed', 'oembed'].map((name) => `tiktok/${name}`));
});
