import { describe, expect, it } from 'vitest';
import photoItem from '../cases/photo-item.json' with { type: 'json' };
import videoItem from '../cases/video-item.json' with { type: 'json' };
import { desktops, strategy } from '../testing/page-fixture.ts';
import { faultOf, itemPage, photoReference, videoReference } from '../testing/platform-fake.ts';

const cookies = [
  'ttwid=1%7Cabc; Path=/; Domain=.tiktok.com; HttpOnly',
  'tt_csrf_token=x-y; Path=/',
  'tt_chain_token=AAECAwQFBgcICQoLDA0ODw==; Path=/; Domain=.tiktok.com; Secure',
];

describe('a video', () => {
  it('offers the best H.264 first, then what is better than that', async () => {
    const post = await strategy({ body: itemPage(videoItem), setCookies: cookies }).read();
    expect(faultOf(post)).toBeNull();
    expect(post.videos.map(({ codec, width, height, bytes }) => ({ codec, width, height, bytes }))).toEqual([
      { codec: 'h264', width: 576, height: 1024, bytes: 3_187_500 },
      { codec: 'h265', width: 1080, height: 1920, bytes: 4_462_500 },
      // No address states whether the others have sound; this one's states that it has none.
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

  it('keeps addresses verbatim and gives them the cookies of the same response', async () => {
    const post = await strategy({ body: itemPage(videoItem), setCookies: cookies }).read();
    const source = post.videos[0]?.source;
    expect(source?.urls).toEqual(videoItem.video.bitrateInfo[1]?.PlayAddr.UrlList.slice(0, 2));
    expect(source?.headers).toEqual({
      referer: 'https://www.tiktok.com/',
      'user-agent': desktops[0]?.userAgent,
      // Only what the media server's host would get.
      cookie: 'ttwid=1%7Cabc; tt_chain_token=AAECAwQFBgcICQoLDA0ODw==',
    });
    expect(source?.expiresAt).toBe(1_800_000_000_000);
    expect(post.cover?.urls).toEqual([videoItem.video.originCover]);
    expect(post.cover?.headers).not.toHaveProperty('cookie');
    expect(post.cover?.expiresAt).toBe(1_900_000_000_000);
  });

  it('uses what other files lack only when nothing better exists', async () => {
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

  it('says when the author disabled saving', async () => {
    const item = { ...videoItem, author: { ...videoItem.author, downloadSetting: 3 } };
    expect((await strategy({ body: itemPage(item) }).read()).savingAllowed).toBe(false);
    const unsaid = {
      ...videoItem,
      author: undefined,
      video: { ...videoItem.video, downloadAddr: undefined },
    };
    expect((await strategy({ body: itemPage(unsaid) }).read()).savingAllowed).toBeNull();
    const saved = { ...unsaid, video: { ...videoItem.video, downloadAddr: 'https://v16.tiktokcdn.com/a/' } };
    expect((await strategy({ body: itemPage(saved) }).read()).savingAllowed).toBe(true);
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

  it('keeps the position of a slide that has no usable address', async () => {
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

  it('has a picture whose only address is HEIC, and uses another address when there is one', async () => {
    const { pictures } = await album(slide([at('1.heic')]), slide([at('2.heic'), at('2.jpeg')]));
    expect(pictures.map(({ source }) => source?.urls)).toEqual([[at('1.heic')], [at('2.jpeg')]]);
  });

  it('has the videos of moving slides, also when a picture is missing', async () => {
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

  it('with nothing usable is its sound, and without a sound nothing', async () => {
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

  it('is recognised by its address, whatever codec it claims', async () => {
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

  it('is not a song that a video merely uses', async () => {
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

  it('has the largest available cover', async () => {
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
