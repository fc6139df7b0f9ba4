import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { faultOf } from '../testing/platform-fake.ts';
import { gearFiles, gearList, separateSounds, soundList } from './encodings.ts';
import { readDetail } from './item.ts';

const host = 'https://v16-webapp-prime.tiktok.com/video/tos/useast5/bucket';
const addressOf = (name: string) =>
  `${host}/${name}/?a=1988&mime_type=video_mp4&expire=1999999999&tk=tt_chain_token`;
const id = '7650000000000000011';

interface GearValues {
  readonly [field: string]: unknown;
}

function gear(name: string, width: number, values: GearValues = {}) {
  return {
    GearName: 'normal_720_0',
    Bitrate: 600_000,
    CodecType: 'h264',
    PlayAddr: { UrlList: [addressOf(name)], DataSize: '550000', Width: width, Height: (width * 16) / 9 },
    ...values,
  };
}

const apart = {
  FileId: 'b0a7b0a7',
  MediaType: 'audio',
  Codec: 'aac',
  Bitrate: 64,
  AudioQualityString: 'adapt_lowest',
  AudioDataSize: 41_000,
  UrlList: { MainUrl: addressOf('sound'), BackupUrl: '', FallbackUrl: addressOf('sound-again') },
};

function read(video: Readonly<Record<string, unknown>>) {
  const item = {
    id,
    desc: 'Boats',
    author: { uniqueId: 'harbour' },
    video: { duration: 5, codecType: 'h264', ...video },
  };
  const context = {
    reference: { platform: 'tiktok', id },
    session: { userAgent: 'test', cookie: null },
    nowMs: 0,
    readBy: 'page',
  } as const;
  const post = readDetail({ statusCode: 0, itemInfo: { itemStruct: item } }, context);
  expect(faultOf(post)).toBeNull();
  return post;
}

const named = ({ source }: { readonly source: { readonly urls: readonly string[] } }) =>
  source.urls.map((url) => url.slice(host.length + 1).split('/')[0]).join(' ');

describe('an item with pictures without sound', () => {
  const dash = { Format: 'dash', CodecType: 'h265_hvc1', VideoExtra: '{"audio_file_id":"b0a7b0a7"}' };

  it('says what each file contains, how good it is, and which sound belongs to it', () => {
    const post = read({
      playAddr: addressOf('whole'),
      width: 720,
      height: 1280,
      size: '550000',
      bitrateInfo: [
        gear('picture', 1080, { ...dash, Bitrate: 900_000, MVMAF: '{"v2.0":{"ori":{"v1080":94.29}}}' }),
        gear('whole', 720, { Format: 'mp4', MVMAF: '' }),
      ],
      bitrateAudioInfo: [apart],
      volumeInfo: { Loudness: -14.2, Peak: 0.8 },
    });
    expect(post.videos.map((one) => [named(one), one.tracks, one.quality, one.soundId])).toEqual([
      ['whole', 'whole', null, null],
      ['picture', 'picture', 94.29, 'b0a7b0a7'],
    ]);
    expect(post.separateSounds).toMatchObject([{ id: 'b0a7b0a7', bytes: 41_000, bitrate: 64_000 }]);
    expect(post.separateSounds.map(named)).toEqual(['sound sound-again']);
    expect(post.soundMeasured).toBe(true);
  });

  it('has no whole file when its default address is one of them', () => {
    const post = read({
      playAddr: addressOf('picture'),
      width: 720,
      height: 1280,
      bitrateInfo: [gear('picture', 720, { ...dash, CodecType: 'h264' })],
      bitrateAudioInfo: [apart],
    });
    expect(post.videos.map((one) => [named(one), one.tracks])).toEqual([['picture', 'picture']]);
    expect(read({ playAddr: addressOf('p'), format: 'dash' }).videos[0]?.tracks).toBe('picture');
    expect(read({ playAddr: addressOf('p'), format: 'mp4' }).videos[0]?.tracks).toBe('unknown');
  });

  it('is the same in the spelling of the app', () => {
    const post = read({
      bitrate_info: [
        {
          gear_name: 'adapt_lowest_1080_1',
          bit_rate: 900_000,
          codec_type: 'h265_hvc1',
          format: 'dash',
          mvmaf: { 'v2.0': { ori: { v1080: 88 } } },
          video_extra: '{"audio_file_id":"b0a7b0a7"}',
          play_addr: { url_list: [addressOf('picture')], data_size: 700_000, width: 1080, height: 1920 },
        },
      ],
      bit_rate_audio: [
        {
          audio_meta: {
            file_id: 'b0a7b0a7',
            media_type: 'audio',
            bitrate: 96_000,
            size: 50_000,
            url_list: { main_url: addressOf('sound'), backup_url: addressOf('sound') },
          },
        },
      ],
      volume_info: { loudness: -9, peak: 1 },
    });
    expect(post.videos).toMatchObject([
      {
        codec: 'h265',
        width: 1080,
        bytes: 700_000,
        bitrate: 900_000,
        tracks: 'picture',
        quality: 88,
        soundId: 'b0a7b0a7',
      },
    ]);
    expect(post.separateSounds).toMatchObject([{ id: 'b0a7b0a7', bytes: 50_000, bitrate: 96_000 }]);
    expect(post.soundMeasured).toBe(true);
  });

  it('has the sounds of the highest rate first, each once, and only those that can be downloaded', () => {
    const sounds = [
      { ...apart, FileId: 'low', Bitrate: 32 },
      { ...apart, FileId: undefined, FileHash: 'by-hash', Bitrate: '96000' },
      { ...apart, FileId: 'low', Bitrate: 16 },
      { ...apart, FileId: 'foreign', UrlList: { MainUrl: 'https://evil.example/a' } },
      { ...apart, FileId: 'none', UrlList: {} },
      { ...apart, FileId: 'picture', MediaType: 'video' },
      { ...apart, FileId: 'list', Bitrate: null, UrlList: [addressOf('sound')] },
      'nothing',
    ];
    const post = read({ playAddr: addressOf('whole'), bitrateAudioInfo: sounds });
    expect(post.separateSounds.map((one) => [one.id, one.bitrate])).toEqual([
      ['by-hash', 96_000],
      ['low', 32_000],
      ['list', null],
    ]);
  });
});

test.each([
  [{ Peak: 0.5, Loudness: -20 }, true],
  [{ Peak: '0.79' }, true],
  [{ Loudness: -14.2 }, true],
  [{ Peak: 0, Loudness: 0 }, false],
  [{ Peak: 0, Loudness: -14.2 }, false],
  [{ Loudness: 0 }, false],
  [{}, false],
  [null, false],
])('the volume %o says whether a sound was measured', (volumeInfo, measured) => {
  expect(read({ playAddr: addressOf('whole'), volumeInfo }).soundMeasured).toBe(measured);
});

describe('an encoding', () => {
  const files = (values: GearValues) =>
    gearFiles(gearList.parse([gear('x', 1080, values)]), { width: 0, height: 0 });

  test.each<[unknown, number | null]>([
    [94.29, 94.29],
    ['81.98', 81.98],
    ['{"v2.0":{"srv1":{"v1080":80,"v720":99},"ori":{"v1080":91.5,"v720":97}}}', 91.5],
    [{ 'v2.0': { srv1: { v720: 99, v1080: 80 } } }, 80],
    ['{"v1080": 77}', 77],
    ['', null],
    ['{}', null],
    ['{"v1080": 177}', null],
    ['{"v1080": "no"}', null],
    ['{broken', null],
    [-1, null],
    [null, null],
    [true, null],
    [`{"v1080": 5, "x": "${'x'.repeat(9_000)}"}`, null],
  ])('scored %j has the quality %s', (MVMAF, quality) => {
    expect(files({ MVMAF })[0]?.quality).toBe(quality);
  });

  test.each<[unknown, string | null]>([
    ['{"audio_file_id":"a1b2"}', 'a1b2'],
    [{ audio_file_id: 'a1b2' }, 'a1b2'],
    ['{"audio_file_id":7}', null],
    ['{"audio_file_id":""}', null],
    ['[]', null],
    ['{"audio_file_id":', null],
    [undefined, null],
  ])('with the extra %j names the sound %s', (VideoExtra, soundId) => {
    expect(files({ VideoExtra })[0]?.soundId).toBe(soundId);
  });

  it('may also have its score in the extra', () => {
    expect(files({ VideoExtra: '{"mvmaf":"{\\"v2.0\\":{\\"ori\\":{\\"v1080\\":90}}}"}' })[0]?.quality).toBe(
      90,
    );
  });

  test.each([
    [{ CodecType: '', GearName: 'original_1080_0' }, 'h264'],
    [{ CodecType: '', GearName: 'original_1080_1' }, 'h265'],
    [{ CodecType: 'bytevc2', GearName: 'original_1080_0' }, undefined],
    [{ CodecType: '', GearName: 'strange' }, undefined],
  ])('%o is %s', (values, codec) => expect(files(values)[0]?.codec).toBe(codec));
});

test('anything in place of encodings and sounds is read without an error, and within bounds', () => {
  const strange = fc.oneof(
    fc.anything(),
    fc.array(
      fc.record(
        {
          MVMAF: fc.anything(),
          VideoExtra: fc.oneof(fc.anything(), fc.json()),
          Format: fc.anything(),
          PlayAddr: fc.anything(),
          UrlList: fc.anything(),
          FileId: fc.anything(),
          audio_meta: fc.anything(),
          GearName: fc.constantFrom('normal_720_0', 'x'),
        },
        { requiredKeys: [] },
      ),
    ),
  );
  fc.assert(
    fc.property(strange, (value) => {
      for (const { quality, soundId } of gearFiles(gearList.parse(value), { width: 1, height: 1 })) {
        expect(quality === undefined || quality === null || (quality >= 0 && quality <= 100)).toBe(true);
        expect(soundId === null || typeof soundId === 'string').toBe(true);
      }
      expect(separateSounds(soundList.parse(value)).length).toBeLessThanOrEqual(16);
    }),
  );
  const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`);
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`v${n}`, 50]));
  for (const MVMAF of [deep, wide])
    expect(gearFiles(gearList.parse([gear('x', 1080, { MVMAF })]), { width: 1, height: 1 })).toHaveLength(1);
});

describe('an encoding without a size', () => {
  const video = { width: 720, height: 1280, playAddr: addressOf('plain') };
  const bare = (name: string, UrlKey: string, values: GearValues = {}) => ({
    ...gear(name, 0, { CodecType: 'h265_hvc1', Format: 'mp4', ...values }),
    PlayAddr: { UrlList: [addressOf(name)], DataSize: '100000', UrlKey },
  });
  const sizesOf = (post: ReturnType<typeof read>) =>
    post.videos.map(({ codec, width, height }) => `${codec} ${width}x${height}`);

  it.each<[string, ReturnType<typeof bare>, string]>([
    ['the key', bare('hd', 'v0c044_bytevc1_1080p_900000', { GearName: '' }), 'h265 1080x1920'],
    ['the name', bare('hd', '', { GearName: 'adapt_lowest_1080_1' }), 'h265 1080x1920'],
    ['the video', bare('hd', 'v0c044_bytevc1_720p_900000', { GearName: '' }), 'h265 720x1280'],
    ['the video where nothing names one', bare('hd', 'x', { GearName: 'y' }), 'h265 720x1280'],
  ])('has that of %s', (_, one, size) => {
    expect(sizesOf(read({ ...video, bitrateInfo: [one, gear('plain', 720)] }))).toContain(size);
  });
});

it('leaves out a dubbed encoding, unless there is no other', () => {
  const dubbed = gear('dubbed', 720, { Bitrate: 900_000, dub_infos: [{ language: 'en' }] });
  const own = gear('own', 720, { dub_infos: [] });
  expect(read({ width: 720, height: 1280, bitrateInfo: [dubbed, own] }).videos.map(named)).toEqual(['own']);
  expect(read({ width: 720, height: 1280, bitrateInfo: [dubbed] }).videos.map(named)).toEqual(['dubbed']);
});

describe('media at other hosts', () => {
  const at = (address: string) => ({ width: 720, height: 1280, playAddr: address });

  it('are read from the names of the same company outside .com', () => {
    for (const domain of ['tiktokv.eu', 'tiktokv.us', 'tiktokw.eu', 'tiktokrow-cdn.com', 'tiktokeu-cdn.com'])
      expect(read(at(`https://api16.${domain}/0/video/a.mp4`)).videos).toHaveLength(1);
  });

  it('at unknown ones are a failure of their own, and counted by a name of a closed list', () => {
    const told: unknown[] = [];
    const item = { id, author: { uniqueId: 'a' }, video: at('https://v16.akamaized.net/a.mp4') };
    const detail = { statusCode: 0, itemInfo: { itemStruct: item } };
    const context = {
      reference: { platform: 'tiktok', id },
      session: { userAgent: 'test', cookie: null },
      nowMs: 0,
      readBy: 'page',
      onShape: (shape: unknown) => told.push(shape),
    } as const;
    expect(() => readDetail(detail, context)).toThrow(
      expect.objectContaining({ key: 'media_host_unknown', shape: 'media_host' }),
    );
    expect(told).toContainEqual({ kind: 'host', name: 'akamaized.net' });
  });
});
