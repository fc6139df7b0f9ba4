import { readFileSync } from 'node:fs';
import { framesOfAdts } from './mp4-builder.ts';

/** 2.5 s of tones, sweeps and noise, AAC LC, 44.1 kHz, stereo, 128 kbit/s. */
export const toneAdts = readFileSync(new URL('./tone.aac', import.meta.url));

/** Its frames without headers. */
export const toneFrames = framesOfAdts(toneAdts);

/** The tone repeated until it is this long. */
export function toneFramesOf(seconds: number): Buffer[] {
  const count = Math.round((seconds * 44100) / 1024);
  return Array.from({ length: count }, (_, n) => toneFrames[n % toneFrames.length] ?? Buffer.alloc(1));
}
