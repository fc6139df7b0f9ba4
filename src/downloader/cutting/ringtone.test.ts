import { describe, expect, it } from 'vitest';
import { readMedia } from '../../../doubles/tiktok/clips/streams.ts';
import { readAdts } from '../media/adts.ts';
import { FfmpegEncoder } from '../media/mp3/ffmpeg-encoder.ts';
import { findFfmpeg } from '../media/mp3/find-ffmpeg.ts';
import { fullSampleRate } from '../media/mp3/layout.ts';
import { BufferSource } from '../media/testing/buffer-source.ts';
import { encodeRingtone } from './ringtone.ts';

const { signal } = new AbortController();
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
