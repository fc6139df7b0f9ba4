import { describe, expect, it, test } from 'vitest';
import { readMedia } from '../../../doubles/tiktok/clips/streams.ts';
import { readAdts } from '../media/adts.ts';
import { FfmpegEncoder } from '../media/mp3/ffmpeg-encoder.ts';
import { findFfmpeg } from '../media/mp3/find-ffmpeg.ts';
import { fullSampleRate } from '../media/mp3/layout.ts';
import { fadeOut } from '../media/mp3/wasm/encoding.ts';
import { readMovie } from '../media/mp4/read-movie.ts';
import { readSound } from '../media/read-sound.ts';
import { planSound } from '../media/sound-plan.ts';
import { BufferSource, collect } from '../media/testing/buffer-source.ts';
import { buildMp4 } from '../media/testing/mp4-builder.ts';
import { toneAdts, toneFrames } from '../media/testing/tone.ts';
import { cutAdts, cutMovie, encodeRingtone, fadeOf } from './cut-sound.ts';

const { signal } = new AbortController();
const part = (fromMs: number, toMs: number) => ({ fromMs, toMs, isRingtone: false });
/** Half a minute of a tone. */
const frames = Array.from({ length: 1300 }, (_, n) => toneFrames[n % toneFrames.length] ?? Buffer.alloc(0));

describe('a part of a sound', () => {
  test('plays between its times, and downloads only its bytes', async () => {
    const source = new BufferSource(buildMp4({ frames }));
    const movie = cutMovie(await readMovie(source, signal), part(10_000, 14_000));
    const plan = planSound(movie, { latencyMs: 0 });
    const { config } = movie.sound;
    expect(plan.facts.durationS).toBeCloseTo(4, 3);
    // One additional silent frame, for the decoder.
    expect(plan.facts.frameCount).toBeCloseTo((4 * config.sampleRate) / 1024 + 1, -1);
    const before = source.bytesRead;
    await collect(readSound(source, movie, plan, { signal }).frames);
    expect(source.bytesRead - before).toBeLessThanOrEqual(1.2 * plan.facts.bytes);
  });

  test('has the same frames from a file without tables', async () => {
    const movie = cutMovie(
      await readMovie(new BufferSource(buildMp4({ frames: toneFrames })), signal),
      part(200, 500),
    );
    const ofMovie = readSound(new BufferSource(buildMp4({ frames: toneFrames })), movie, planSound(movie), {
      signal,
    });
    const ofAdts = await cutAdts(await readAdts(new BufferSource(toneAdts), 0, signal), part(200, 500));
    expect({ ...ofAdts, frames: null }).toEqual({ ...ofMovie, frames: null });
    expect((await collect(ofAdts.frames)).equals(await collect(ofMovie.frames))).toBe(true);
  });

  test('ends with the sound, and must begin before its end', async () => {
    const movie = await readMovie(new BufferSource(buildMp4({ frames: toneFrames })), signal);
    const { heard, config } = movie.sound;
    const lengthS = (heard.end - heard.start) / config.sampleRate;
    expect(planSound(cutMovie(movie, part(100, 86_400_000))).facts.durationS).toBeCloseTo(lengthS - 0.1, 3);
    expect(() => cutMovie(movie, part(60_000, 61_000))).toThrow(
      expect.objectContaining({ key: 'cut_invalid' }),
    );
  });
});

test('fades evenly to nothing, and stays silent', async () => {
  const facts = { ...(await readAdts(new BufferSource(toneAdts), 0, signal)), skipSamples: 10, durationS: 3 };
  const { startS, lengthS } = fadeOf(facts);
  expect(lengthS).toBe(1.5);
  expect(startS + lengthS).toBeCloseTo(3 + 10 / facts.config.outputSampleRate, 9);

  const apply = fadeOut({ startS: 4, lengthS: 4 }, 1);
  const [left, right] = [new Float32Array(10).fill(1), new Float32Array(10).fill(-1)];
  // In two calls, which share one clock.
  apply(left.subarray(0, 5), right.subarray(0, 5));
  apply(left.subarray(5), right.subarray(5));
  expect([...left]).toEqual([1, 1, 1, 1, 1, 0.75, 0.5, 0.25, 0, 0]);
  expect([...right].map((sample) => -sample || 0)).toEqual([...left]);
});

const ffmpeg = await findFfmpeg(undefined, process.env.PATH ?? '', signal);

it.each([
  ['a stream that may have SBR without saying so', 2, 22_050, 22_050, 44_100],
  ['a stream that says that it has SBR', 5, 22_050, 44_100, 44_100],
  ['a stream that has none', 2, 44_100, 44_100, 44_100],
] as const)(
  '%s keeps all that a decoder may find in it',
  (_, objectType, sampleRate, outputSampleRate, rate) => {
    expect(fullSampleRate({ objectType, sampleRate, outputSampleRate, channels: 2 })).toBe(rate);
  },
);

describe.runIf(ffmpeg)('a ringtone of unannounced HE-AAC', () => {
  it('has the rate of what is heard, and its length', async () => {
    const encoder = new FfmpegEncoder({ ffmpegPath: ffmpeg?.ffmpegPath ?? '', prlimitPath: null });
    const whole = await readAdts(new BufferSource(readMedia('he-aac-44100-stereo.aac')), 0, signal);
    expect(whole.config).toMatchObject({ objectType: 2, sampleRate: 22_050 });
    const { movie } = await encodeRingtone(encoder, { ...whole, skipSamples: 500, durationS: 1 }, signal);
    const { config, heard } = movie.sound;
    expect(config.sampleRate).toBe(44_100);
    // The encoder's own 1024 samples, and those that are left out of the original, at twice its rate.
    expect(heard).toEqual({ start: 1024 + 1000, end: 1024 + 1000 + 44_100 });
  });
});
