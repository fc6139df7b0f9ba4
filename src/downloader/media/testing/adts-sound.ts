import { adtsFrameEnds } from '../adts.ts';
import type { AdtsSound } from '../contracts.ts';
import { aacSampleRates } from '../mp4/audio-config.ts';
import { samplesPerFrame } from '../mp4/sound-track.ts';

/** The sound of a file of raw AAC frames. */
export function adtsSound(bytes: Buffer): AdtsSound {
  const ends = [...adtsFrameEnds(bytes)];
  const [, , c = 0, d = 0] = bytes;
  const sampleRate = aacSampleRates[(c >> 2) & 15] ?? 0;
  const channels = ((c & 1) << 2) | (d >> 6);
  return {
    config: { objectType: 2, sampleRate, outputSampleRate: sampleRate, channels },
    frameCount: ends.length,
    skipSamples: 0,
    durationS: (ends.length * samplesPerFrame) / sampleRate,
    bytes: bytes.length,
    frames: (async function* () {
      yield bytes;
    })(),
  };
}
