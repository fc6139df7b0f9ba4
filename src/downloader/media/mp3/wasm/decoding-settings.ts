import type { AacConfig, FadeOut, SoundFacts } from '../../contracts.ts';
import { maybeParametricStereo, mp3Layout } from '../layout.ts';

/** Settings that the decoder needs before a stream's first frame. */
export interface DecodingSettings {
  /** Hz of what is encoded. */
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Hz of a stream that says that it has no SBR; null for one with it. */
  readonly plainRate: number | null;
  readonly fade: FadeOut | null;
  /** The same as in an `Mp3Layout`. */
  readonly leftOutS: number;
}

/** This build of FAAD2 gives parametric stereo as mono, and has no way to mix more than two channels. */
export function canFaadDecode(config: AacConfig): boolean {
  return config.channels <= 2 && !maybeParametricStereo(config);
}

/** How a sound is decoded for the mp3 that is made of it. */
export function decodingSettings(sound: SoundFacts, fade: FadeOut | null): DecodingSettings {
  const { sampleRate, channels, leftOutS } = mp3Layout(sound);
  const { config } = sound;
  const plainRate = config.objectType === 2 ? config.sampleRate : null;
  return { sampleRate, channels, plainRate, fade, leftOutS };
}
