import type { AacConfig, AdtsSound, ByteSource } from './contracts.ts';
import { aacSampleRates } from './mp4/audio-config.ts';
import { invalid } from './mp4/boxes.ts';
import { samplesPerFrame } from './mp4/sound-track.ts';

/** Bytes of an ADTS header without a checksum. */
export const adtsHeaderBytes = 7;

/** A raw AAC file is small; one that is read whole must be. */
const maxRawBytes = 32 * 1024 * 1024;

/**
 * Makes ADTS headers for one stream (ISO/IEC 13818-7, 6.2; 14496-3, 1.A.2). HE-AAC is written as its LC core: every
 * decoder finds SBR and parametric stereo inside the frames.
 * @returns a function that writes the header of a frame of `frameBytes` payload at `at`
 */
export function adtsHeaderWriter(
  config: AacConfig,
): (into: Uint8Array, at: number, frameBytes: number) => void {
  const rateIndex = aacSampleRates.indexOf(config.sampleRate);
  const channels = config.channels === 8 ? 7 : config.channels;
  const profile = 1; // LC
  const byte2 = (profile << 6) | (rateIndex << 2) | (channels >> 2);
  return (into, at, frameBytes) => {
    const length = frameBytes + adtsHeaderBytes;
    into[at] = 0xff;
    into[at + 1] = 0xf1;
    into[at + 2] = byte2;
    into[at + 3] = ((channels & 3) << 6) | (length >> 11);
    into[at + 4] = (length >> 3) & 0xff;
    into[at + 5] = ((length & 7) << 5) | 0x1f;
    into[at + 6] = 0xfc;
  };
}

/** Frame length in the ADTS header at `at`, header included; 0 when there is no header. */
export function adtsFrameLength(bytes: Uint8Array, at: number): number {
  if (at + adtsHeaderBytes > bytes.length) return 0;
  const [a = 0, b = 0, , d = 0, e = 0, f = 0] = bytes.subarray(at, at + adtsHeaderBytes);
  if (a !== 0xff || (b & 0xf6) !== 0xf0) return 0;
  const length = ((d & 3) << 11) | (e << 3) | (f >> 5);
  return length < adtsHeaderBytes ? 0 : length;
}

/** Where each whole frame ends, from the first byte on to what is none or not whole. */
export function* adtsFrameEnds(bytes: Uint8Array): Generator<number, void, void> {
  let end = 0;
  for (let length = adtsFrameLength(bytes, 0); length > 0 && end + length <= bytes.length; ) {
    end += length;
    yield end;
    length = adtsFrameLength(bytes, end);
  }
}

/**
 * Reads a whole raw AAC file: it has no tables, and its length must be known before the first byte of an mp3.
 * @param start first byte after a tag
 * @throws Failure `media_invalid` when it is no sequence of ADTS frames or larger than 32 MB
 */
export async function readAdts(source: ByteSource, start: number, signal: AbortSignal): Promise<AdtsSound> {
  const bytes = await source.read(start, maxRawBytes + 1, signal);
  if (bytes.length > maxRawBytes) throw invalid(`raw AAC of more than ${maxRawBytes} bytes`);
  const ends = [...adtsFrameEnds(bytes)];
  const [frameCount, end] = [ends.length, ends.at(-1) ?? 0];
  const [, , c = 0, d = 0] = bytes;
  const sampleRate = aacSampleRates[(c >> 2) & 15] ?? 0;
  const configuration = ((c & 1) << 2) | (d >> 6);
  if (frameCount === 0 || sampleRate === 0 || configuration === 0 || c >> 6 !== 1)
    throw invalid('no ADTS frames');
  const channels = configuration === 7 ? 8 : configuration;
  return {
    config: { objectType: 2, sampleRate, outputSampleRate: sampleRate, channels },
    frameCount,
    skipSamples: 0,
    durationS: (frameCount * samplesPerFrame) / sampleRate,
    bytes: end,
    frames: slices(bytes.subarray(0, end)),
  };
}

async function* slices(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0, next = 0; at < bytes.length; at = next) {
    while (next < bytes.length && next - at < 32 * 1024) next += adtsFrameLength(bytes, next);
    yield bytes.subarray(at, next);
  }
}
