import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { tiktokHosts } from './hosts.ts';
import { chooseVideos, type VideoFile } from './post/choose-videos.ts';
import {
  expiryOf,
  fileOf,
  isGateway,
  isPictureAlone,
  mediaAddress,
  soundContainerOf,
} from './post/media-addresses.ts';

const good = 'https://v16m.tiktokcdn-us.com/x.mp4';
const gateway = 'https://www.tiktok.com/aweme/v1/play/?video_id=v0';
const hvc1 = 'https://v16-webapp-prime.us.tiktok.com/video/tos/x/media-video-hvc1/?expire=1';

function file(parts: Partial<VideoFile>): VideoFile {
  return { codec: 'h264', width: 576, height: 1024, bytes: null, bitrate: null, urls: [good], ...parts };
}

function chosen(...files: VideoFile[]): string[] {
  return chooseVideos(files).map(({ codec, width, height }) => `${codec} ${width}x${height}`);
}

describe('chooseVideos', () => {
  const h720 = file({ width: 720, height: 1280 });
  const h1080 = file({ width: 1080, height: 1920 });
  const x1080 = file({ codec: 'h265', width: 1080, height: 1920 });
  const x720 = file({ codec: 'h265', width: 720, height: 1280 });

  test.each<[string, VideoFile[], string[]]>([
    [
      'H.264 of 720p before anything larger',
      [h1080, x1080, h720],
      ['h264 720x1280', 'h264 1080x1920', 'h265 1080x1920'],
    ],
    ['H.264 before H.265 of its size', [x720, h720], ['h264 720x1280', 'h265 720x1280']],
    ['the smallest H.264 when all are large', [h1080, x1080], ['h264 1080x1920', 'h265 1080x1920']],
    ['H.265 when there is nothing else', [x720, x1080], ['h265 1080x1920', 'h265 720x1280']],
    [
      'the short side, whichever way it is held',
      [file({ width: 1280, height: 720 }), file({ width: 576, height: 1024 })],
      ['h264 1280x720', 'h264 576x1024'],
    ],
    [
      'H.264 without a size rather than none',
      [file({ width: 0, height: 0 }), x1080],
      ['h264 0x0', 'h265 1080x1920'],
    ],
    ['nothing from nothing', [file({ urls: [] }), file({ urls: ['https://evil.example/x'] })], []],
  ])('%s', (_, files, result) => {
    expect(chosen(...files)).toEqual(result);
    expect(chosen(...files.toReversed())).toEqual(result);
  });

  it('uses the gateway only as a last resort', () => {
    expect(chooseVideos([file({ urls: [gateway, good] })])[0]?.urls).toEqual([good]);
    expect(chooseVideos([file({ urls: [gateway] })])[0]?.urls).toEqual([gateway]);
    expect(chooseVideos([file({ codec: 'h265', urls: [hvc1] })])[0]?.urls).toEqual([hvc1]);
  });

  it.each<[string, Partial<VideoFile>, string]>([
    ['dash', { format: 'dash' }, 'picture'],
    ['mp4', { format: 'mp4' }, 'whole'],
    ['nothing', {}, 'unknown'],
    ['another format', { format: 'hls' }, 'unknown'],
    ['nothing, under an address of pictures', { urls: [hvc1] }, 'picture'],
    ['mp4, under an address of pictures', { format: 'mp4', urls: [hvc1] }, 'picture'],
    ['mp4, under one address of several', { format: 'mp4', urls: [hvc1, good] }, 'whole'],
  ])('a file labelled %s contains what the label means', (_, parts, tracks) => {
    expect(chooseVideos([file(parts)])[0]?.tracks).toBe(tracks);
  });

  it('a picture without sound comes first only when there is nothing else', () => {
    const picture = file({ ...h720, format: 'dash', bitrate: 900, urls: [`${good}?2`] });
    const whole = file({ format: 'mp4', bitrate: 600, urls: ['https://v16m.tiktokcdn-us.com/y.mp4'] });
    expect(chooseVideos([picture, whole]).map(({ tracks }) => tracks)).toEqual(['whole', 'picture']);
    expect(chooseVideos([picture]).map(({ tracks }) => tracks)).toEqual(['picture']);
  });

  it('the default address and its encoding are one file, and facts about either hold for both', () => {
    const mirror = 'https://v19-webapp-prime.tiktok.com/x.mp4?expire=2';
    const dash = file({ format: 'dash', bytes: 5, bitrate: 7, soundId: 'a', urls: [mirror] });
    for (const files of [
      [dash, file({ bytes: 5 })],
      [file({ width: 0, height: 0 }), dash],
    ]) {
      const [only, ...others] = chooseVideos(files);
      expect(others).toEqual([]);
      expect(only).toMatchObject({ tracks: 'picture', bitrate: 7, soundId: 'a', width: 576, height: 1024 });
      expect(only?.urls.toSorted()).toEqual([good, mirror]);
    }
    // Equal sizes alone prove nothing: the files may have different tracks.
    const other = file({ ...dash, format: 'mp4', urls: ['https://v16m.tiktokcdn-us.com/y.mp4'] });
    expect(chooseVideos([dash, other])).toHaveLength(2);
  });

  it('of files that are known to be alike, the best one is enough', () => {
    const at = (name: string, parts: Partial<VideoFile>) =>
      file({ format: 'mp4', urls: [`https://v16m.tiktokcdn-us.com/${name}`], ...parts });
    const files = [at('a', { bitrate: 5 }), at('b', { bitrate: 9 }), at('c', { bitrate: 7 })];
    expect(chooseVideos(files).map(({ bitrate }) => bitrate)).toEqual([9]);
    expect(chooseVideos(files.map((one) => ({ ...one, format: '' })))).toHaveLength(3);
  });

  it('holds for any set of files', () => {
    const any = fc.record({
      codec: fc.constantFrom<VideoFile['codec']>('h264', 'h265'),
      width: fc.constantFrom(0, 480, 576, 720, 1080, 1920),
      height: fc.constantFrom(0, 576, 720, 1024, 1280, 1920),
      bytes: fc.option(fc.nat()),
      bitrate: fc.option(fc.nat()),
      format: fc.constantFrom('', 'mp4', 'dash'),
      quality: fc.option(fc.nat(100)),
      urls: fc.subarray([good, gateway, hvc1, 'https://evil.example/x', 'http://v16m.tiktokcdn.com/x']),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 10 }), (files) => {
        const chosen = chooseVideos(files);
        expect(chosen.length > 0).toBe(
          files.some(({ urls }) => urls.some((url) => mediaAddress(url) !== null)),
        );
        const isWhole = chosen.map(({ tracks }) => tracks !== 'picture');
        if (chosen.some(({ codec }, n) => codec === 'h264' && isWhole[n])) {
          expect(chosen[0]?.codec).toBe('h264');
          expect(isWhole[0]).toBe(true);
        }
        for (const { urls } of chosen) {
          expect(urls.length).toBeGreaterThan(0);
          expect(urls.every((url) => mediaAddress(url) !== null)).toBe(true);
        }
      }),
    );
  });
});

describe('media addresses', () => {
  const seen = [
    'v16-webapp-prime.tiktok.com',
    'v19-webapp-prime.us.tiktok.com',
    'v16-webapp.tiktok.com',
    'v16m.tiktokcdn.com',
    'v45.tiktokcdn-eu.com',
    'v77.tiktokcdn-us.com',
    'v16m-default.tiktokcdn-us.com',
    'p16-sign-va.tiktokcdn.com',
    'p19-common-sign-useastred.tiktokcdn-eu.com',
    'p77-pu-sign-useast8.tiktokcdn-us.com',
    'sf16-ies-music.tiktokcdn.com',
    'webapp-va.tiktok.com',
    'webapp-sg.tiktok.com',
    'webapp-i18n.tiktok.com',
    'webapp-no1a.tiktok.com',
    'video-tcs-sg.tiktok.com',
    'v16-webapp-prime-test.tiktok.com',
    'v19-webapp-prime-test.tiktok.com',
    'v16-webapp-prime-ttp.tiktok.com',
    'video-useast5.us.tiktok.com',
    'video-useast5-bp.us.tiktok.com',
    'webapp-useastred.eu.tiktok.com',
    'vas-alisg16.tiktokv.com',
  ];
  test.each(seen)('%s belongs to the platform', (host) =>
    expect(mediaAddress(`https://${host}/x?a=1&&b=2`)).toBe(`https://${host}/x?a=1&&b=2`),
  );

  test.each([
    'http://v16m.tiktokcdn.com/x',
    'https://V16m.tiktokcdn.com/x',
    'https://v16m.tiktokcdn.com:443/x',
    'https://u@v16m.tiktokcdn.com/x',
    'https://v16m.tiktokcdn.com.evil.example/x',
    'https://eviltiktokcdn.com/x',
    'https://v16m.eviltiktok.com/x',
    'https://v16m.evil-tiktokcdn.com/x',
    'https://v16m.tiktokcdn-.com/x',
    'https://v16m.tiktok.com.evil.example/x',
    'https://v16m.tiktok.evil.com/x',
    'https://v16m.xtiktok.com/x',
    'https://-v16m.tiktok.com/x',
    'https://v16m-.tiktok.com/x',
    'https://v16m..tiktok.com/x',
    'https://tiktok.com/x',
    'https://a.b.c.d.e.tiktok.com/x',
    'https://v16m.tiktok.com./x',
    'https://v16m.tiktokcdn.com',
    'https://v16m.tiktokcdn.com\\@evil.example/x',
    'https://v16m。tiktokcdn.com/x',
    'https://127.0.0.1/x',
    'https://v16m.akamaized.net/x',
    'https://v16m.tiktokcdn.com/é',
    'https://v16m.tiktokcdn.com/\n',
    `https://v16m.tiktokcdn.com/${'x'.repeat(5_000)}`,
    '',
    null,
    7,
    {},
  ])('%s does not belong to the platform', (value) => expect(mediaAddress(value)).toBeNull());

  it('never accepts a host outside the list', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ validSchemes: ['https'] }),
        fc.constantFrom('', 'v16m.', 'v16m.tiktokcdn.com', 'v16m.tiktokcdn.com/', 'v16m.tiktokcdn.com:1@'),
        (url, prefix) => {
          const text = url.replace('https://', `https://${prefix}`);
          const accepted = mediaAddress(text);
          if (accepted === null) return;
          const { hostname, port, username, password, origin } = new URL(accepted);
          expect(tiktokHosts['tiktok/media'].some((host) => host.test(hostname))).toBe(true);
          expect(port + username + password).toBe('');
          expect(accepted).toBe(text);
          expect(accepted.startsWith(`${origin}/`)).toBe(true);
        },
      ),
    );
  });

  it('accepts every name below the platform’s own domains and no other', () => {
    const labels = fc.array(fc.stringMatching(/^[a-z0-9.-]{0,8}$/), { maxLength: 5 });
    const domains = fc.constantFrom(
      ...['tiktok.com', 'tiktokv.com', 'tiktokcdn.com', 'tiktokcdn-us.com', 'tiktok.com.br', 'tiktok.co'],
      ...['xtiktok.com', 'tiktokcdn.us.com', 'tiktokcdn-x_.com', 'tik.tok.com', '127.0.0.1', 'com'],
    );
    const own = /^(?:tiktok|tiktokv|tiktokcdn|tiktokcdn-us)\.com$/;
    fc.assert(
      fc.property(labels, domains, (parts, domain) => {
        const accepted = mediaAddress(`https://${[...parts, domain].join('.')}/x`);
        if (accepted === null) return;
        const { hostname } = new URL(accepted);
        expect(hostname.split('.').slice(-2).join('.')).toMatch(own);
        expect(hostname.split('.').length).toBeGreaterThan(2);
        expect(hostname.split('.').every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label))).toBe(
          true,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('knows when an address expires', () => {
    expect(expiryOf('https://v16-webapp-prime.tiktok.com/video/?a=1&&expire=1800000000&l=x')).toBe(
      1_800_000_000_000,
    );
    expect(expiryOf('https://p16-sign.tiktokcdn.com/a~b.jpeg?dr=1&x-expires=1900000000')).toBe(
      1_900_000_000_000,
    );
    expect(expiryOf(`https://v16m.tiktokcdn.com/${'0'.repeat(32)}/6f000000/video/`)).toBe(0x6f000000 * 1_000);
    expect(expiryOf('https://v16m.tiktokcdn.com/x?noexpire=1800000000')).toBeNull();
  });

  it('recognises the gateway, and pictures without sound', () => {
    expect([gateway, good].map(isGateway)).toEqual([true, false]);
    expect([hvc1, good].map(isPictureAlone)).toEqual([true, false]);
  });

  it('recognises two addresses of one file, whatever signature they have', () => {
    const signed = (hex: string, host: string) =>
      `https://${host}/${hex.repeat(32)}/6a000000/video/tos/useast5/key/?l=${hex}`;
    const name = fileOf(signed('a', 'v16m.tiktokcdn-us.com'));
    expect(name).toBe('/video/tos/useast5/key/');
    expect(fileOf(signed('b', 'v19.tiktokcdn-us.com'))).toBe(name);
    expect(fileOf('https://v16-webapp-prime.tiktok.com/video/tos/useast5/key/?a=1988&&bt=2')).toBe(name);
    expect(fileOf(gateway)).toBeNull();
  });
});

test.each([
  [['https://h/x?a=1&mime_type=audio_mpeg&b=2'], 'mp3'],
  [['https://h/x?mime_type=audio_mp4'], 'mp4'],
  [['https://h/x', 'https://h/song.mp3?x=1'], 'mp3'],
  [['https://h/song.m4a'], 'mp4'],
  [['https://h/x?mime_type=audio_mpegs', 'https://h/x?y=song.mp3'], null],
  [[], null],
])('the container of a sound at %j is %s', (urls, container) => {
  expect(soundContainerOf(urls)).toBe(container);
});
