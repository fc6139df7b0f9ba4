import { Failure } from '../../../failures/failures.ts';
import type { AacConfig, Mp3Encoder } from '../contracts.ts';

/**
 * The first encoder, in order of preference, that supports this kind of sound.
 * @throws Failure `conversion_failed` when none does; the original sound (m4a) is still available
 */
export function selectEncoder(encoders: readonly Mp3Encoder[], config: AacConfig): Mp3Encoder {
  const encoder = encoders.find((candidate) => candidate.canEncode(config));
  if (encoder !== undefined) return encoder;
  const { objectType, sampleRate, channels } = config;
  throw new Failure('conversion_failed', {
    note: `no encoder for AAC type ${objectType}, ${sampleRate} Hz, ${channels} channel(s)`,
  });
}
