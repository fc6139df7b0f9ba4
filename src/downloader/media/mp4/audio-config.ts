import { Failure } from '../../../failures/failures.ts';
import type { AacConfig } from '../contracts.ts';
import { invalid } from './boxes.ts';

/** ISO/IEC 14496-3, table 1.18: samplingFrequencyIndex. */
export const aacSampleRates: readonly number[] = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];

/** An MPEG audio stream inside mp4 as its `esds` box describes it. */
const mpeg4Audio = 0x40;
const mpeg2AacLc = 0x67;
/** HE-AAC v2 needs seven; the rest is for extensions that are never used. */
const maxConfigBytes = 64;

/**
 * Finds the AudioSpecificConfig in an `esds` box (ISO/IEC 14496-1, 7.2.6).
 * @throws Failure `media_invalid` for a broken descriptor, `sound_unsupported` for another codec than AAC
 */
export function audioSpecificConfigOf(esds: Buffer): Buffer {
  let at = 4;
  let end = esds.length;
  while (at + 2 <= end) {
    const tag = esds.readUInt8(at++);
    let length = 0;
    for (let count = 0; ; count++) {
      if (count === 4 || at >= end) throw invalid('descriptor length');
      const byte = esds.readUInt8(at++);
      length = length * 128 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    const last = Math.min(end, at + length);
    if (tag === 0x03) {
      if (at + 3 > last) throw invalid('ES descriptor cut off');
      const flags = esds.readUInt8(at + 2);
      at += 3;
      if (flags & 0x80) at += 2;
      if (flags & 0x40) at += 1 + (at < last ? esds.readUInt8(at) : 0);
      if (flags & 0x20) at += 2;
      end = last;
    } else if (tag === 0x04) {
      if (at + 13 > last) throw invalid('decoder descriptor cut off');
      const codec = esds.readUInt8(at);
      if (codec !== mpeg4Audio && codec !== mpeg2AacLc) {
        throw new Failure('sound_unsupported', { note: `sound codec 0x${codec.toString(16)} is not AAC` });
      }
      at += 13;
      end = last;
    } else if (tag === 0x05) {
      if (last - at > maxConfigBytes) throw invalid(`AudioSpecificConfig of ${last - at} bytes`);
      // A copy: a view would keep all of the tables alive.
      return Buffer.from(esds.subarray(at, last));
    } else {
      at = last;
    }
  }
  throw invalid('no AudioSpecificConfig');
}

/** Reads bits from the most significant one on; past the end they are zero and `left` is negative. */
class Bits {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length * 8 - this.#at;
  }

  take(count: number): number {
    let value = 0;
    for (let n = 0; n < count; n++, this.#at++) {
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }
}

function takeObjectType(bits: Bits): number {
  const type = bits.take(5);
  return type === 31 ? 32 + bits.take(6) : type;
}

function takeSampleRate(bits: Bits): number {
  const index = bits.take(4);
  return index === 15 ? bits.take(24) : (aacSampleRates[index] ?? 0);
}

/**
 * Reads an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) with both forms of signalling SBR and parametric stereo:
 * explicit and hierarchical (object type 5 or 29 first), and backward compatible (sync extension 0x2b7 after the LC
 * part).
 * @throws Failure `media_invalid` for nonsense, `sound_unsupported` for AAC that ADTS frames of 1024 samples cannot
 *   carry
 */
export function parseAudioSpecificConfig(bytes: Uint8Array): AacConfig {
  if (bytes.length < 2) throw invalid('AudioSpecificConfig cut off');
  const bits = new Bits(bytes);
  let objectType = takeObjectType(bits);
  const sampleRate = takeSampleRate(bits);
  const channelConfiguration = bits.take(4);
  let extension: 2 | 5 | 29 = 2;
  let outputSampleRate = sampleRate;
  if (objectType === 5 || objectType === 29) {
    extension = objectType;
    outputSampleRate = takeSampleRate(bits);
    objectType = takeObjectType(bits);
  }
  if (objectType !== 2) throw new Failure('sound_unsupported', { note: `AAC object type ${objectType}` });
  const frameLengthFlag = bits.take(1);
  if (bits.take(1) === 1) bits.take(14);
  bits.take(1);
  if (bits.left < 0) throw invalid('AudioSpecificConfig cut off');
  if (frameLengthFlag === 1) throw new Failure('sound_unsupported', { note: 'AAC frames of 960 samples' });
  const channels = channelConfiguration === 7 ? 8 : channelConfiguration;
  if (channels < 1 || channels > 8) {
    throw new Failure('sound_unsupported', { note: `AAC channel configuration ${channelConfiguration}` });
  }
  if (
    extension === 2 &&
    bits.left >= 16 &&
    bits.take(11) === 0x2b7 &&
    takeObjectType(bits) === 5 &&
    bits.take(1)
  ) {
    extension = 5;
    outputSampleRate = takeSampleRate(bits);
    if (bits.left >= 12 && bits.take(11) === 0x548 && bits.take(1) === 1) extension = 29;
  }
  if (!aacSampleRates.includes(sampleRate)) throw invalid(`sample rate ${sampleRate}`);
  if (outputSampleRate !== sampleRate && outputSampleRate !== 2 * sampleRate) {
    throw invalid(`sample rate ${sampleRate} extended to ${outputSampleRate}`);
  }
  // Parametric stereo exists only over a mono core.
  if (extension === 29 && channels !== 1) extension = 5;
  return { objectType: extension, sampleRate, outputSampleRate, channels };
}
