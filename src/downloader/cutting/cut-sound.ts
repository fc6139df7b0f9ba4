import { Failure } from '../../failures/failures.ts';
import { adtsFrameLength } from '../media/adts.ts';
import type { AdtsSound, FadeOut } from '../media/contracts.ts';
import type { Movie } from '../media/mp4/read-movie.ts';
import { samplesPerFrame } from '../media/mp4/sound-track.ts';
import { type Cut, fadeMs } from './cut.ts';

/**
 * The first and last sample of a cut of a sound with this many samples.
 * @throws Failure `cut_invalid` when it begins behind the end
 */
function samplesOf(
  { fromMs, toMs }: Cut,
  sampleRate: number,
  length: number,
): { start: number; end: number } {
  const start = Math.round((fromMs / 1000) * sampleRate);
  const end = Math.min(length, Math.round((toMs / 1000) * sampleRate));
  if (start < end) return { start, end };
  throw new Failure('cut_invalid', { note: `from ${start} to ${end}, of ${length} samples` });
}

/** A movie of which only the cut is heard. @throws Failure `cut_invalid` */
export function cutMovie(movie: Movie, cut: Cut): Movie {
  const { heard, config } = movie.sound;
  const { start, end } = samplesOf(cut, config.sampleRate, heard.end - heard.start);
  return {
    ...movie,
    sound: { ...movie.sound, heard: { start: heard.start + start, end: heard.start + end } },
  };
}

/** The frames of a cut, and one before them that a decoder needs. @throws Failure `cut_invalid` */
export async function cutAdts(sound: AdtsSound, cut: Cut): Promise<AdtsSound> {
  const { sampleRate } = sound.config;
  const { start, end } = samplesOf(cut, sampleRate, sound.frameCount * samplesPerFrame);
  const first = Math.max(0, Math.floor(start / samplesPerFrame) - 1);
  const last = Math.ceil(end / samplesPerFrame);
  const kept: Uint8Array[] = [];
  let frame = 0;
  for await (const chunk of sound.frames)
    for (let at = 0; at < chunk.length; frame += 1) {
      const next = at + adtsFrameLength(chunk, at);
      if (frame >= first && frame < last) kept.push(chunk.subarray(at, next));
      at = next;
    }
  return {
    config: sound.config,
    frameCount: kept.length,
    skipSamples: start - first * samplesPerFrame,
    durationS: (end - start) / sampleRate,
    bytes: kept.reduce((sum, { length }) => sum + length, 0),
    frames: once(Buffer.concat(kept)),
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** When a ringtone's end fades, on the clock of what is decoded; a short one for half of it. */
export function fadeOf({
  skipSamples,
  durationS,
  config,
}: Pick<AdtsSound, 'skipSamples' | 'durationS' | 'config'>): FadeOut {
  const lengthS = Math.min(fadeMs / 1000, durationS / 2);
  return { startS: skipSamples / config.outputSampleRate + durationS - lengthS, lengthS };
}
