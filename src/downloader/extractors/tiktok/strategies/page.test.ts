import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Failure, type FailureKey } from '../../../../failures/failures.ts';
import type { PostReference } from '../../../posts/post.ts';
import { UncertainRefusal } from '../../extractor.ts';
import photoItem from '../cases/photo-item.json' with { type: 'json' };
import videoItem from '../cases/video-item.json' with { type: 'json' };
import {
  challengePage,
  detailPage,
  fakeNetwork,
  faultOf,
  itemPage,
  never,
  now,
  page,
  pageUrl,
  photoReference,
  videoReference,
} from '../testing/platform-fake.ts';
import { pageStrategy, reflowStrategy } from './page.ts';
import { UserAgents } from './user-agents.ts';

const cookies = [
  'ttwid=1%7Cabc; Path=/; Domain=.tiktok.com; HttpOnly',
  'tt_csrf_token=x-y; Path=/',
  'tt_chain_token=AAECAwQFBgcICQoLDA0ODw==; Path=/; Secure',
];

function strategy(replies: Parameters<typeof fakeNetwork>[0][string], make = pageStrategy) {
  const { network, requests } = fakeNetwork({ [pageUrl]: replies });
  const agents = new UserAgents('page', ['Mozilla/5.0 one', 'Mozilla/5.0 two'], () => now);
  const reader = make({ network, agents, now: () => now });
  return { read: (reference: PostReference = videoReference) => reader.read(reference, never), requests };
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const thrown = await promise.then(
    () => new Error('no failure'),
    (reason: unknown) => reason,
  );
  if (thrown instanceof Failure) return thrown;
  throw thrown;
}

describe('a video', () => {
  it('offers the best H.264 first, then what is above it', async () => {
    const post = await strategy({ body: itemPage(videoItem), setCookies: cookies }).read();
    expect(faultOf(post)).toBeNull();
    expect(post.videos.map(({ codec, width, height, bytes }) => ({ codec, width, height, bytes }))).toEqual([
      { codec: 'h264', width: 576, height: 1024, bytes: 3_187_500 },
      { codec: 'h265', width: 1080, height: 1920, bytes: 4_462_500 },
      // Nothing says which of them have a sound; this one's address says that it has none.
      { codec: 'h265', width: 720, height: 1280, bytes: 2_337_500 },
      { codec: 'h264', width: 576, height: 1024, bytes: 1_062_500 },
    ]);
    expect(post).toMatchObject({
      kind: 'video',
      url: 'https://www.tiktok.com/@invented.cook/video/7301234567890123456',
      author: { handle: 'invented.cook', name: 'Invented Cook 🍳' },
      title: 'First try at the new recipe 🍋\nmore tomorrow #lemon',
      durationS: 17,
      createdAt: 1_700_000_030,
      savingAllowed: true,
      sound: null,
      readBy: 'page',
    });
  });

  it('keeps addresses verbatim and gives them the cookies of the same answer', async () => {
    const post = await strategy({ body: itemPage(videoItem), setCookies: cookies }).read();
    const source = post.videos[0]?.source;
    expect(source?.urls).toEqual(videoItem.video.bitrateInfo[1]?.PlayAddr.UrlList.slice(0, 2));
    expect(source?.headers).toEqual({
      referer: 'https://www.tiktok.com/',
      'user-agent': 'Mozilla/5.0 one',
      cookie: 'ttwid=1%7Cabc; tt_csrf_token=x-y; tt_chain_token=AAECAwQFBgcICQoLDA0ODw==',
    });
    expect(source?.expiresAt).toBe(1_800_000_000_000);
    expect(post.cover?.urls).toEqual([videoItem.video.originCover]);
    expect(post.cover?.headers).not.toHaveProperty('cookie');
    expect(post.cover?.expiresAt).toBe(1_900_000_000_000);
  });

  it('uses what is missing elsewhere only when nothing better is there', async () => {
    const video = { ...videoItem.video, bitrateInfo: [], playAddr: [{ src: videoItem.video.playAddr }] };
    const oldShape = await strategy({ body: itemPage({ ...videoItem, video }) }).read();
    expect(oldShape.videos).toHaveLength(1);
    const gateway = 'https://www.tiktok.com/aweme/v1/play/?faid=1988&video_id=v0';
    const last = await strategy({
      body: itemPage({ ...videoItem, video: { ...video, playAddr: gateway } }),
    }).read();
    expect(last.videos[0]?.source.urls).toEqual([gateway]);
    const noAuthor = await strategy({
      body: itemPage({ ...videoItem, author: undefined, music: null }),
    }).read();
    expect(noAuthor).toMatchObject({
      author: { handle: '', name: '' },
      url: 'https://www.tiktok.com/@/video/7301234567890123456',
    });
  });

  it('says when the author switched saving off', async () => {
    const item = { ...videoItem, author: { ...videoItem.author, downloadSetting: 3 } };
    expect((await strategy({ body: itemPage(item) }).read()).savingAllowed).toBe(false);
  });
});

describe('a slideshow', () => {
  const [first] = photoItem.imagePost.images;
  const at = (name: string) =>
    `https://p16-sign-va.tiktokcdn.com/tos-maliva-i-photomode-us/${name}?x-expires=1999999999`;
  const album = (...images: unknown[]) =>
    strategy({ body: itemPage({ ...photoItem, imagePost: { images } }) }).read(photoReference);
  const slide = (urlList: unknown, rest: object = {}) => ({
    imageURL: { urlList },
    imageWidth: 4,
    imageHeight: 5,
    ...rest,
  });

  it('keeps the place of a slide of which there is no usable address', async () => {
    const { kind, pictures } = await album(
      slide([at('1.jpeg')]),
      { imageWidth: 4 },
      slide(['https://evil.example/x']),
      slide([at('4.jpeg')]),
    );
    expect(kind).toBe('photos');
    expect(pictures.map(({ source }) => source?.urls[0] ?? null)).toEqual([
      at('1.jpeg'),
      null,
      null,
      at('4.jpeg'),
    ]);
  });

  it('has a picture whose only address says HEIC, and takes another address where there is one', async () => {
    const { pictures } = await album(slide([at('1.heic')]), slide([at('2.heic'), at('2.jpeg')]));
    expect(pictures.map(({ source }) => source?.urls)).toEqual([[at('1.heic')], [at('2.jpeg')]]);
  });

  it('has the videos of slides that move, also where there is no picture', async () => {
    const video = {
      playAddr: '',
      bitrateInfo: [{ CodecType: 'h264', PlayAddr: { UrlList: ['https://v16m.tiktokcdn.com/m'] } }],
    };
    const { pictures } = await album(
      slide([at('1.jpeg')], { video }),
      { video },
      slide([at('3.jpeg')], { video: { playAddr: 'https://evil.example/x' } }),
    );
    expect(pictures.map(({ source, motion }) => [source !== null, motion?.urls])).toEqual([
      [true, ['https://v16m.tiktokcdn.com/m']],
      [false, ['https://v16m.tiktokcdn.com/m']],
      [true, undefined],
    ]);
  });

  it('of nothing usable is its sound, and without one nothing', async () => {
    const images = [{ ...first, imageURL: { urlList: [] } }];
    const { kind, pictures, sound } = await album(...images);
    expect([kind, pictures.length, sound === null]).toEqual(['photos', 1, false]);
    const silent = { ...photoItem, imagePost: { images }, music: null };
    await expect(strategy({ body: itemPage(silent) }).read(photoReference)).rejects.toMatchObject({
      key: 'post_unreadable',
    });
  });
});

it.each([null, {}, { images: null }, { images: [] }])(
  'reads a video beside the imagePost %j',
  async (imagePost) => {
    const post = await strategy({
      body: itemPage({ ...videoItem, music: { ...videoItem.music, duration: 99 }, imagePost }),
    }).read();
    expect(post).toMatchObject({
      kind: 'video',
      durationS: videoItem.video.duration,
      pictures: [],
      sound: null,
    });
    expect(post.videos.length).toBeGreaterThan(0);
  },
);

describe('a song in the place of a video', () => {
  const songs = [
    'https://sf16-ies-music-va.tiktokcdn.com/obj/ies-music-aiso/7012345',
    'https://v16m.tiktokcdn.com/video/tos/x/?a=1&mime_type=audio_mpeg&b=2',
    'https://v77.tiktokcdn.com/abc/song.mp3?x=1',
    'https://v77.tiktokcdn.com/abc/Song.M4A',
  ];
  const item = (playAddr: string, rest: object = {}) => ({
    ...videoItem,
    video: { playAddr, duration: 9, width: 0, height: 0, codecType: '', ...rest },
    music: { ...videoItem.music, title: 'A tune', playUrl: '' },
  });

  it.each(songs)('is the sound of a post of pictures: %s', async (url) => {
    const post = await strategy({ body: itemPage(item(url)) }).read();
    expect(faultOf(post)).toBeNull();
    expect(post).toMatchObject({ kind: 'photos', videos: [], pictures: [], durationS: 9 });
    expect(post.sound).toMatchObject({ source: { urls: [url] } });
    expect(post.song).toMatchObject({ title: 'A tune' });
  });

  it('is told by its address, whatever codec it says to be', async () => {
    const post = await strategy({ body: itemPage(item(songs[0] ?? '', { codecType: 'mp3' })) }).read();
    expect([post.videos, post.sound?.source.urls]).toEqual([[], [songs[0]]]);
  });

  it('beside a video leaves the video', async () => {
    const gear = {
      CodecType: 'h264',
      PlayAddr: { UrlList: ['https://v16m.tiktokcdn.com/v'], Width: 576, Height: 1024 },
    };
    const post = await strategy({ body: itemPage(item(songs[0] ?? '', { bitrateInfo: [gear] })) }).read();
    expect([post.kind, post.videos.map(({ source }) => source.urls), post.sound]).toEqual([
      'video',
      [['https://v16m.tiktokcdn.com/v']],
      null,
    ]);
  });

  it('is no song that a video merely uses', async () => {
    const body = itemPage({
      ...videoItem,
      video: { ...videoItem.video, playAddr: '', PlayAddrStruct: null, bitrateInfo: [] },
    });
    await expect(strategy({ body }).read()).rejects.toMatchObject({ key: 'post_unreadable' });
  });
});

describe("the sound's own name", () => {
  const songOf = async (music: unknown) =>
    (await strategy({ body: itemPage({ ...videoItem, music }) }).read(videoReference)).song;
  const author = { handle: videoItem.author.uniqueId, name: videoItem.author.nickname };
  const cover = 'https://p16-sign.tiktokcdn-us.com/cover.jpeg?x-expires=1999999999';

  it('has the largest cover there is', async () => {
    const song = { title: 'Quiet Hills', authorName: 'The Invented Band', original: false };
    expect(await songOf(song)).toEqual({
      title: 'Quiet Hills',
      artist: 'The Invented Band',
      isOriginal: false,
      cover: null,
    });
    const covers = {
      coverLarge: 'https://evil.example/c.jpeg',
      coverMedium: cover,
      coverThumb: `${cover}&t`,
    };
    expect((await songOf({ ...song, ...covers }))?.cover?.urls).toEqual([cover]);
  });

  it.each([
    ['a flag', { title: 'Any', authorName: 'Any One', original: true }, true],
    ['its English name', { title: 'original sound - x', authorName: 'Any One' }, true],
    ['another language', { title: `son original - ${author.name}`, authorName: author.name }, true],
    ['the handle', { title: `оригинальный звук - ${author.handle}`, authorName: author.handle }, true],
    ['nothing: a song by the author', { title: 'Quiet Hills', authorName: author.name }, false],
    ["nothing: a song named like another's sound", { title: 'Duet - Ann', authorName: 'Ann' }, false],
  ])('is original by %s', async (_, music, isOriginal) => {
    expect((await songOf(music))?.isOriginal).toBe(isOriginal);
  });

  it('is none when half of it is missing', async () => {
    expect(await songOf({ title: 'Quiet Hills', authorName: ' ' })).toBeNull();
    expect(await songOf({ title: '', authorName: 'The Invented Band' })).toBeNull();
    expect(await songOf(undefined)).toBeNull();
  });
});

it('reads a slideshow with its sound', async () => {
  const post = await strategy({ body: itemPage(photoItem), setCookies: cookies }).read(photoReference);
  expect(faultOf(post)).toBeNull();
  expect(post).toMatchObject({
    kind: 'photos',
    url: 'https://www.tiktok.com/@invented_walker/photo/7301234567890123457',
    title: 'Three hills',
    durationS: 30,
    videos: [],
    sound: { durationS: 30 },
    song: { title: 'Quiet Hills', artist: 'The Invented Band', isOriginal: false },
  });
  expect(post.pictures.map(({ width, height, source }) => [width, height, source?.urls.length])).toEqual([
    [1080, 1350, 2],
    [1080, 1436, 1],
  ]);
  expect(post.sound?.source.expiresAt).toBe(0x6f000000 * 1000);
  const silent = { ...photoItem, music: { ...photoItem.music, playUrl: '' } };
  expect((await strategy({ body: itemPage(silent) }).read(photoReference)).sound).toBeNull();
});

test.each([
  { itemInfo: { itemStruct: videoItem }, statusCode: 0 },
  { videoDetail: { itemInfo: { itemStruct: videoItem }, statusCode: '0' } },
  { itemStruct: videoItem },
])('the mobile page has the item in one of three places', async (detail) => {
  const post = await strategy(
    { body: page({ 'webapp.reflow.video.detail': detail }) },
    reflowStrategy,
  ).read();
  expect(post.readBy).toBe('reflow');
  const body = `<html><script id="api-data" type="application/json">${JSON.stringify(detail)}</script></html>`;
  expect((await strategy({ body }, reflowStrategy).read()).id).toBe(videoReference.id);
});

test.each<[message: string, key: FailureKey]>([
  ['status_self_see', 'post_private'],
  ['item_privacy_authorization&status_friend_see', 'post_friends_only'],
  ['person_geo_fencing', 'post_region_blocked'],
  ['content_classification', 'post_age_restricted'],
  ['', 'post_gone'],
])('the mobile page says %j by a name of its own', async (statusMessage, key) => {
  const refused = { statusCode: 10204, statusMessage, extra_info: { unknown: [1] } };
  const scope = { body: page({ 'webapp.reflow.video.detail': refused }) };
  expect((await failureOf(strategy(scope, reflowStrategy).read())).key).toBe(key);
  const data = JSON.stringify({ videoDetail: refused, commentList: { comments: [] } });
  const script = { body: `<html><script id="api-data" type="application/json">${data}</script></html>` };
  expect((await failureOf(strategy(script, reflowStrategy).read())).key).toBe(key);
});

describe('refusals', () => {
  const table: [code: number | string, message: string, key: FailureKey, uncertain: boolean][] = [
    [10204, "item doesn't exist", 'post_gone', true],
    [10204, '', 'post_gone', true],
    ['10204', 'item_privacy_authorization&status_deleted', 'post_gone', false],
    [10204, 'item_privacy_authorization&status_self_see', 'post_private', false],
    [10204, 'status_self_see', 'post_private', false],
    [10204, 'status_friend_see', 'post_friends_only', false],
    [10204, 'person_geo_fencing', 'post_region_blocked', true],
    [10204, 'item_privacy_authorization&cross_border_violation_ur', 'post_region_blocked', true],
    [10204, 'copyright_geo_filter', 'post_region_blocked', true],
    [10204, 'status_reviewing', 'post_in_review', false],
    [10204, 'status_audit_not_pass', 'post_taken_down', false],
    [10204, 'content_classification', 'post_age_restricted', true],
    [10215, '', 'post_taken_down', false],
    [10216, '', 'post_private', false],
    [10217, '', 'post_in_review', false],
    [10220, '', 'post_taken_down', false],
    [10221, 'user banned', 'post_gone', false],
    [10202, '', 'post_gone', false],
    [10222, '', 'account_private', false],
    [10227, '', 'post_in_review', false],
    [10228, '', 'post_taken_down', false],
    [10231, 'cross_border_violation', 'post_region_blocked', true],
    [10213, '', 'post_age_restricted', true],
    [10214, '', 'post_age_restricted', true],
    [10223, '', 'post_age_restricted', true],
    [100002, '', 'link_invalid', false],
    [10101, 'SysErrPanic', 'platform_failed', false],
    [10000, '', 'platform_blocked', false],
    [10102, '', 'post_login_required', true],
    [4711, 'constructor', 'post_unreadable', false],
  ];
  test.each(table)('status %s %s is %s', async (statusCode, statusMsg, key, uncertain) => {
    const failure = await failureOf(
      strategy({ body: detailPage({ itemInfo: {}, statusCode, statusMsg }) }).read(),
    );
    expect([failure.key, failure instanceof UncertainRefusal]).toEqual([key, uncertain]);
  });

  const empty = { ...videoItem, video: { duration: 0 } };
  test.each<[string, object, FailureKey]>([
    ['an age gate', { ...empty, isContentClassified: true, author: undefined }, 'post_age_restricted'],
    ['a take-down', { ...empty, takeDown: 1 }, 'post_taken_down'],
    ['a review', { ...empty, isReviewing: true }, 'post_in_review'],
    ['a private post', { ...videoItem, privateItem: true }, 'post_private'],
    ['a post for friends', { ...videoItem, forFriend: true }, 'post_friends_only'],
    ['another post', { ...videoItem, id: '7309999999999999999' }, 'post_unreadable'],
    ['an id that lost its digits', { ...videoItem, id: 7301234567890123 }, 'post_unreadable'],
    ['no media', empty, 'post_unreadable'],
  ])('%s in the item', async (_, item, key) => {
    expect((await failureOf(strategy({ body: itemPage(item) }).read())).key).toBe(key);
  });

  it('serves a classified post whose media are there', async () => {
    expect(
      (await strategy({ body: itemPage({ ...videoItem, isContentClassified: true }) }).read()).kind,
    ).toBe('video');
  });
});

describe('gates', () => {
  const good = itemPage(videoItem);
  test.each<[string, object, FailureKey]>([
    ['a challenge', { body: challengePage }, 'platform_blocked'],
    ['maintenance', { body: '<title>Site Maintenance</title>' }, 'platform_blocked'],
    ['a decoy', { body: `<html>${'x'.repeat(7_000)}</html>` }, 'platform_blocked'],
    ['a captcha', { body: '<div id="captcha-verify-container">' }, 'platform_blocked'],
    ['an empty answer', { body: '' }, 'platform_blocked'],
    ['the home shell', { body: page({}) }, 'platform_blocked'],
    ['403', { status: 403, body: 'x' }, 'platform_blocked'],
    ['429', { status: 429 }, 'platform_throttled'],
    ['overload', { body: 'overload-protect triggered' }, 'platform_throttled'],
    ['451', { status: 451 }, 'post_region_blocked'],
    ['503', { status: 503 }, 'platform_failed'],
    ['a log-in redirect', { url: 'https://www.tiktok.com/login?redirect_url=x' }, 'post_login_required'],
    ['half a page', { body: good.slice(0, good.length / 2) }, 'platform_failed'],
    ['99 % of a page', { body: good.slice(0, good.length * 0.99) }, 'platform_failed'],
    [
      'a renamed scope',
      { body: good.replace('webapp.video-detail', 'webapp.post-detail') },
      'platform_blocked',
    ],
    ['a renamed script', { body: good.replaceAll('__UNIVERSAL_DATA', '__OTHER_DATA') }, 'post_unreadable'],
    [
      'the site without posts',
      {
        body: `<html><script id="api-domains">{}</script><script src="https://lf16-cdn.example/webapp-static-site/main.js"></script>${'x'.repeat(90_000)}</html>`,
      },
      'platform_blocked',
    ],
    [
      'the site without posts, by its scripts',
      {
        body: `<html><script id="pumbaa-rule">{}</script><script id="gfdatav1">{}</script>${'x'.repeat(200_000)}</html>`,
      },
      'platform_blocked',
    ],
    ['a full page of an unknown kind', { body: `<html>${'x'.repeat(90_000)}</html>` }, 'post_unreadable'],
    ['broken JSON', { body: good.replace('"itemInfo":', '"itemInfo"') }, 'post_unreadable'],
  ])('%s', async (_, reply, key) => {
    expect((await failureOf(strategy(reply).read())).key).toBe(key);
  });

  it('tries once more with another user-agent and remembers the one that was turned away', async () => {
    const { read, requests } = strategy([{ status: 403 }, { body: good }]);
    await read();
    await read();
    expect(requests.map((request) => request.headers?.['user-agent'])).toEqual([
      'Mozilla/5.0 one',
      'Mozilla/5.0 two',
      'Mozilla/5.0 two',
    ]);
    const blocked = strategy({ body: challengePage });
    await failureOf(blocked.read());
    expect(blocked.requests).toHaveLength(2);
  });

  it('passes a network failure on without a second try', async () => {
    const { read, requests } = strategy(new Failure('platform_timeout'));
    expect((await failureOf(read())).key).toBe('platform_timeout');
    expect(requests).toHaveLength(1);
  });
});

describe('changed shapes', () => {
  type Path = (string | number)[];
  function pathsOf(value: unknown, path: Path = []): Path[] {
    if (typeof value !== 'object' || value === null) return [path];
    return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
  }
  function changed(value: unknown, path: Path, replacement: unknown): unknown {
    const [key, ...rest] = path;
    if (key === undefined) return replacement;
    const copy = structuredClone(value) as Record<string | number, unknown>;
    copy[key] = changed(copy[key], rest, replacement);
    return copy;
  }
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      undefined,
      'https://evil.example/x.mp4',
      'http://v16m.tiktokcdn-us.com/x',
      'https://user@v16m.tiktokcdn-us.com/x',
      'https://v16m.tiktokcdn-us.com:8443/x',
      'https://127.0.0.1/x',
      'javascript:alert(1)',
      '//v16m.tiktokcdn-us.com/x',
      'https://v16m.tiktokcdn-us.com/\r\nx: y',
      '\ud800',
      '../..',
      -1,
      1e300,
      '9'.repeat(400),
      3,
    ),
  );
  test.each<[string, unknown, PostReference]>([
    ['video', videoItem, videoReference],
    ['photo', photoItem, photoReference],
  ])('any change of a %s page gives a sound post or a failure', async (_, item, reference) => {
    const detail = { itemInfo: { itemStruct: item }, statusCode: 0, statusMsg: '' };
    const change = fc.tuple(fc.constantFrom(...pathsOf(detail)), odd);
    // The filler plays no role here and would take most of the time.
    const small = (value: unknown) =>
      `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${JSON.stringify({ __DEFAULT_SCOPE__: { 'webapp.video-detail': value } })}</script>`;
    let posts = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let value: unknown = detail;
        for (const [path, replacement] of changes) {
          try {
            value = changed(value, path, replacement);
          } catch (thrown) {
            // An earlier change took the place away.
            if (!(thrown instanceof TypeError)) throw thrown;
          }
        }
        try {
          const post = await strategy({ body: small(value) }).read(reference);
          posts++;
          expect(faultOf(post)).toBeNull();
        } catch (thrown) {
          if (!(thrown instanceof Failure)) throw thrown;
        }
      }),
      { numRuns: 600 },
    );
    expect(posts).toBeGreaterThan(100);
  });
});
