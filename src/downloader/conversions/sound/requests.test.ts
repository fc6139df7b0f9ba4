import { describe, expect, test } from 'vitest';
import { cutMovie } from '../../cutting/cut-sound.ts';
import { setUpJoining, sourceOf } from '../../joining/testing/join-fixture.ts';
import type { ByteSource } from '../../media/contracts.ts';
import { readMovie } from '../../media/mp4/read-movie.ts';
import { readSound } from '../../media/read-sound.ts';
import { planSound } from '../../media/sound-plan.ts';
import { collect } from '../../media/testing/buffer-source.ts';
import { buildMp4, framesOfAdts, type Mp4Options } from '../../media/testing/mp4-builder.ts';
import { toneFramesOf } from '../../media/testing/tone.ts';
import { createRemoteByteSource } from '../../streaming/byte-source.ts';

const servers = setUpJoining();
const { signal } = new AbortController();
const frames = toneFramesOf(60);
const soundBytes = frames.reduce((sum, { length }) => sum + length, 0);

const serve = (options: Omit<Mp4Options, 'frames'>, ignoreRange = false) => {
  const picture = buildMp4({ frames, ...options });
  servers.serve({ picture, sound: Buffer.alloc(0) }, { picture: () => ({ ignoreRange }) });
};
const remote = () => createRemoteByteSource({ network: servers.network, source: sourceOf('picture') });
const soundOf = async (source: ByteSource, movie: Parameters<typeof planSound>[0]) =>
  framesOfAdts(await collect(readSound(source, movie, planSound(movie), { signal }).frames));
const wholeSound = async () => {
  const source = remote();
  return soundOf(source, await readMovie(source, signal));
};
/** Bytes that were asked for in ranges. */
const asked = () =>
  servers.asked
    .map(({ range }) => /^bytes=(\d+)-(\d+)$/.exec(range ?? ''))
    .reduce((sum, range) => sum + Number(range?.[2]) + 1 - Number(range?.[1]), 0);

describe('a minute of sound on an ordinary server', () => {
  test.each([
    // 5 MB and 8 MB of picture.
    ['12 runs, tables first', { interleaveS: 5.2, pictureBytes: 400_000, moov: 'first' }],
    ['12 runs, tables last', { interleaveS: 5.2, pictureBytes: 650_000, moov: 'last' }],
    ['one run', { interleaveS: 100, pictureBytes: 400_000, moov: 'first' }],
    ['120 runs with little picture', { interleaveS: 0.5, pictureBytes: 7000, moov: 'last' }],
  ] as const)('takes at most 12 requests: %s', async (_, options) => {
    serve(options);
    expect(await wholeSound()).toEqual(frames);
    expect(servers.asked.length).toBeLessThanOrEqual(12);
  });

  test('is fetched without the picture where ten requests would bring most of it', async () => {
    serve({ interleaveS: 0.5, pictureBytes: 50_000 });
    expect(await wholeSound()).toEqual(frames);
    expect(asked()).toBeLessThanOrEqual(1.3 * soundBytes + 200_000);
  });

  test('costs no more than twice its bytes and the tables where requests are saved', async () => {
    serve({ interleaveS: 0.5, pictureBytes: 7000 });
    await wholeSound();
    expect(asked()).toBeLessThanOrEqual(2 * soundBytes + 200_000);
  });
});

describe('a server that ignores ranges', () => {
  const spread = { interleaveS: 0.5, pictureBytes: 50_000 };

  test('is asked for the tables, and then once for the whole sound', async () => {
    serve(spread, true);
    expect(await wholeSound()).toEqual(frames);
    expect(servers.asked).toHaveLength(2);
  });

  test('is asked once more where the tables come last', async () => {
    serve({ ...spread, moov: 'last' }, true);
    expect(await wholeSound()).toEqual(frames);
    expect(servers.asked).toHaveLength(3);
  });

  test('is asked once for a part of the sound', async () => {
    serve(spread, true);
    const source = remote();
    const movie = cutMovie(await readMovie(source, signal), {
      fromMs: 20_000,
      toMs: 40_000,
      isRingtone: false,
    });
    const part = await soundOf(source, movie);
    expect(part.length).toBeGreaterThan(800);
    expect(servers.asked).toHaveLength(2);
  });

  test('is asked no further where ranges worked for the tables', async () => {
    const picture = buildMp4({ frames, ...spread });
    servers.serve({ picture, sound: Buffer.alloc(0) }, { picture: (count) => ({ ignoreRange: count > 0 }) });
    const source = remote();
    const movie = await readMovie(source, signal);
    const { frames: read } = readSound(source, movie, planSound(movie), { connections: 2, signal });
    expect(framesOfAdts(await collect(read))).toEqual(frames);
    expect(servers.asked.length).toBeLessThanOrEqual(4);
  });
});
