import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, hasFfmpeg, probe } from '../../src/downloader/joining/testing/clips.ts';
import type { ErrorResponse } from '../../src/site/api.ts';
import { sample } from '../support/audit/scope.ts';
import type { Journey } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';
import { probeVideo } from '../support/probe.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await sharedJourney();
});

async function download(path: string, init?: RequestInit) {
  const response = await journey.get(path, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status).toBeLessThan(300);
  expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
  return { bytes, response, name: response.headers.get('content-disposition') ?? '' };
}

/** Mean volume in dB of a sound after a filter. */
function volume(sound: Buffer, filter: string): number {
  const values = ['-hide_banner', '-i', 'pipe:0', '-af', `${filter},volumedetect`, '-f', 'null', '-'];
  const { stderr } = spawnSync('ffmpeg', values, { input: sound, encoding: 'utf8' });
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? Number.NaN);
}

const durationOf = (bytes: Buffer, kind: string) =>
  probe(bytes).find((one) => one.kind === kind)?.durationS ?? Number.NaN;

const clips = [
  ['ordinary', 'mp4'],
  ['moov-last', 'mp4'],
  ['dash-hd', 'mp4-hd'],
] as const;

test('a video, or a part of it, without its sound, by its own name; a sound has no such form', async () => {
  const href = await journey.href('ordinary', 'mp4');
  const whole = await download(href);
  const silent = await download(`${href}?silent=1`);
  expect(silent.name).toContain('-no-sound.mp4');
  expect(silent.bytes.length).toBeLessThan(whole.bytes.length);
  expect([whole, silent].map(({ bytes }) => bytes.includes('soun'))).toEqual([true, false]);
  const part = await download(`${href}?from=1&to=3&silent=1`);
  expect(part.name).toContain('-1-3-no-sound.mp4');
  if (hasFfmpeg) {
    expect(probe(silent.bytes).map(({ kind }) => kind)).toEqual(['video']);
    expect(probeVideo(silent.bytes).tags).toMatchObject({ artist: 'The Ferry Captain' });
  }
  const refused = await journey.get(`${await journey.href('ordinary', 'm4a')}?silent=1`);
  expect(((await refused.json()) as ErrorResponse).error.key).toBe('cut_unsupported');
});

test('a hundred cuts of a post cost the platform no more than its whole sound', async () => {
  const { platform } = journey;
  const asked = async () => (await platform.stats()).byPost['long-60s']?.requests ?? 0;
  const counted = async (queries: readonly string[]) => {
    const before = await asked();
    for (const query of queries) await download(href + query);
    return (await asked()) - before;
  };
  const href = await journey.href('long-60s', 'm4a');
  const whole = await counted(['']);
  const cuts = await counted(
    Array.from({ length: 100 }, (_, n) => `?from=${(n / 100).toFixed(2)}&to=${(20 + n / 100).toFixed(2)}`),
  );
  // The tables, and what lies at the ends of pieces.
  expect(cuts).toBeLessThanOrEqual(whole + 5);
  // Times are hundredths: these are one more cut, and its file is kept.
  const names = new Set<string>();
  for (const from of ['30.000', '30.001', '30.0099', '30'])
    names.add((await download(`${href}?from=${from}&to=31`)).response.headers.get('etag') ?? '');
  expect(names.size).toBe(1);
});

describe.runIf(hasFfmpeg)('a part of a post', () => {
  test.each(sample(clips, ([post]) => post !== 'moov-last'))(
    'the mp4 of %s (%s) plays, begins with a key frame, and supports ranges',
    async (post, option) => {
      const href = `${await journey.href(post, option)}?from=2.5&to=0:05.5`;
      const { bytes, response, name } = await download(href);
      expect(name).toContain('2.5-5.5.mp4');
      expect(complaints(bytes)).toBe('');
      const [seen, heard] = [durationOf(bytes, 'video'), durationOf(bytes, 'audio')];
      expect(seen).toBeGreaterThanOrEqual(2.9);
      expect(Math.abs(seen - heard)).toBeLessThan(0.1);

      const headers = { range: 'bytes=5000-5999', 'if-range': response.headers.get('etag') ?? '' };
      const part = await download(href, { headers });
      expect(part.response.status).toBe(206);
      expect(part.bytes.equals(bytes.subarray(5000, 6000))).toBe(true);
    },
  );

  test('downloads only what it keeps, even when the sound is far from its picture', async () => {
    const href = await journey.href('sound-in-one-piece', 'mp4');
    const sent = async () => (await journey.platform.stats()).byPost['sound-in-one-piece']?.bytesSent ?? 0;
    const before = await sent();
    const { bytes } = await download(`${href}?from=2&to=8`);
    expect(complaints(bytes)).toBe('');
    const indexBytes = 64 * 1024;
    expect((await sent()) - before).toBeLessThanOrEqual(1.2 * bytes.length + indexBytes);
  });

  test('sounds have the requested length, and each is a file with its own status', async () => {
    const mp3 = await journey.href('long-60s', 'mp3');
    const [one, other] = ['?from=10&to=14.5', '?from=10&to=20'];
    const { bytes, name } = await download(mp3 + one);
    expect(name).toContain('10-14.5.mp3');
    const read = readMp3(bytes);
    expect([...read.bitrates]).toEqual([128]);
    expect(Math.abs(read.durationS - 4.5)).toBeLessThan(0.15);
    const state = async (query: string) =>
      ((await (await journey.get(`${mp3}/status${query}`)).json()) as { result: { state: string } }).result
        .state;
    expect(await state(one)).toMatch(/^(converting|done)$/);
    expect(await state(other)).toBe('idle');

    const m4a = await download(`${await journey.href('long-60s', 'm4a')}?from=59&to=86400`);
    expect(complaints(m4a.bytes)).toBe('');
    expect(durationOf(m4a.bytes, 'audio')).toBeCloseTo(1, 1);
  });

  test('a ringtone is half a minute with a fade-out, for either kind of phone', async () => {
    const from = '?from=5&ringtone=1';
    const [mp3, m4r] = await Promise.all(
      ['mp3', 'm4a'].map(async (option) => download((await journey.href('long-60s', option)) + from)),
    );
    expect(mp3?.name).toContain('ringtone-5.mp3');
    expect(m4r?.name).toContain('ringtone-5.m4r');
    for (const { bytes } of [mp3, m4r].filter((file) => file !== undefined)) {
      expect(complaints(bytes)).toBe('');
      expect(durationOf(bytes, 'audio')).toBeCloseTo(30, 0);
      const [body, end] = [volume(bytes, 'atrim=20:27'), volume(bytes, 'atrim=29.7:29.9')];
      expect(end).toBeLessThan(body - 10);
    }
  });

  test('a fragmented video says that no part of it is available, and returns none', async () => {
    const wholeOnly = async (post: string) => {
      const { answer } = await journey.resolve(post);
      const options = 'result' in answer ? answer.result.options : [];
      return Object.fromEntries(options.map(({ id, whole_only }) => [id, whole_only === true]));
    };
    expect(await wholeOnly('ordinary')).toMatchObject({ mp4: false, mp3: false });
    expect(await wholeOnly('fragmented')).toMatchObject({ mp4: true });
    expect(await wholeOnly('dash-hd-fragmented')).toMatchObject({ mp4: false, 'mp4-hd': true });
    expect(await wholeOnly('dash-hd-fragmented-picture')).toMatchObject({ mp4: false, 'mp4-hd': true });
    // It does not read a separate picture, unless the post does not say what it contains.
    expect(await wholeOnly('dash-hd')).toMatchObject({ mp4: false, 'mp4-hd': true });
    expect(await wholeOnly('unsaid-joinable')).toMatchObject({ mp4: false, 'mp4-hd': false });
    for (const [post, option] of [
      ['fragmented', 'mp4'],
      ['dash-hd-fragmented', 'mp4-hd'],
      ['dash-hd-fragmented-picture', 'mp4-hd'],
    ] as const) {
      const response = await journey.get(`${await journey.href(post, option)}?from=1&to=2`);
      expect(((await response.json()) as ErrorResponse).error.key).toBe('cut_unsupported');
    }
  });

  test('refuses an invalid part in the language of the visitor', async () => {
    const [mp4, mp3, photos] = await Promise.all([
      journey.href('ordinary', 'mp4'),
      journey.href('ordinary', 'mp3'),
      journey.href('photos', 'mp3'),
    ]);
    const keyOf = async (path: string) => {
      const response = await journey.get(path, { headers: { 'accept-language': 'de' } });
      const { error } = (await response.json()) as ErrorResponse;
      return `${response.status} ${error.key} ${error.message.includes('„Bis“')}`;
    };
    const invalid = '422 cut_invalid true';
    for (const query of [
      'from=5&to=5',
      'from=NaN',
      'from=-1',
      'to=1e9',
      'from=9&to=3',
      'from=1&from=2',
      'from=3600',
    ])
      for (const path of [mp4, mp3]) expect(await keyOf(`${path}?${query}`), query).toBe(invalid);
    expect(await keyOf(`${mp3}/ready?from=3600&to=1000000000`)).toBe(invalid);
    expect(await keyOf(`${mp4}?ringtone=1`)).toContain('cut_unsupported');
    expect(await keyOf(`${photos}?from=1`)).toContain('cut_unsupported');
  });
});
