import { Failure } from '../../failures/failures.ts';
import type { AdtsSound, FadeOut } from '../media/contracts.ts';
import type { Movie } from '../media/mp4/read-movie.ts';
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

/** When a ringtone's end fades, on the clock of what is decoded; a short one for half of it. */
export function fadeOf({
  skipSamples,
  durationS,
  config,
}: Pick<AdtsSound, 'skipSamples' | 'durationS' | 'config'>): FadeOut {
  const lengthS = Math.min(fadeMs / 1000, durationS / 2);
  return { startS: skipSamples / config.outputSampleRate + durationS - lengthS, lengthS };
}
