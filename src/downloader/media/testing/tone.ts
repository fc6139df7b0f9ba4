import { readFileSync } from 'node:fs';
import type { AdtsSound } from '../contracts.ts';
import { samplesPerFrame } from '../mp4/sound-track.ts';
import { framesOfAdts } from './mp4-builder.ts';

/** 2.5 s of tones, sweeps and noise, AAC LC, 44.1 kHz, stereo, 128 kbit/s. */
export const toneAdts = readFileSync(new URL('./tone.aac', import.meta.url));

/** Its frames without headers. */
export const toneFrames = framesOfAdts(toneAdts);

/** One second at 48 kHz, mono, and one at 22.05 kHz, stereo. */
export const mono48Adts = readFileSync(new URL('./tone-48k-mono.aac', import.meta.url));
export const stereo22Adts = readFileSync(new URL('./tone-22k.aac', import.meta.url));

/** A beep of 1 kHz from 0.6 s on, at 8 kHz in stereo; the encoder put 1024 samples before it. */
export const beep8Adts = readFileSync(new URL('./beep-8k.aac', import.meta.url));

/** The tone repeated until it is this long. */
export function toneFramesOf(seconds: number): Buffer[] {
  const count = Math.round((seconds * 44100) / samplesPerFrame);
  return Array.from({ length: count }, (_, n) => toneFrames[n % toneFrames.length] ?? Buffer.alloc(1));
}

/** A sound with given chunks of ADTS frames, by default of the tone's kind. */
export function soundOf(
  frames: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  frameCount: number,
  { sampleRate = 44100, channels = 2 } = {},
): AdtsSound {
  return {
    config: { objectType: 2, sampleRate, outputSampleRate: sampleRate, channels },
    frameCount,
    skipSamples: 0,
    durationS: (frameCount * samplesPerFrame) / sampleRate,
    bytes: 0,
    frames: (async function* () {
      yield* frames;
    })(),
  };
}
