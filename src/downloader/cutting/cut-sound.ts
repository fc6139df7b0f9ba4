import { Failure } from '../../failures/failures.ts';
import { adtsFrameLength, adtsHeaderBytes } from '../media/adts.ts';
import type {
  AacConfig,
  AdtsSound,
  ByteSource,
  EncodeRequest,
  FadeOut,
  Mp3Encoder,
} from '../media/contracts.ts';
import { aacSampleRates } from '../media/mp4/audio-config.ts';
import type { Movie } from '../media/mp4/read-movie.ts';
import { samplesPerFrame } from '../media/mp4/sound-track.ts';
import { u16 } from '../media/mp4/write-boxes.ts';
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

/** Samples that ffmpeg's encoder puts before the first one. */
const encoderDelay = 1024;
/** Half a minute at 128 kbit/s has 480 kB. */
const maxBytes = 4 * 2 ** 20;

/** A re-encoded sound in memory, in the form that the m4a writer takes. */
interface EncodedSound {
  readonly movie: Movie;
  readonly source: ByteSource;
}

/**
 * Encodes half a minute of sound as AAC that fades out at its end. The file is short, and its length is known when it
 * is complete.
 * @throws Failure `conversion_failed`, `conversion_timeout`, or the signal's reason
 */
export async function encodeRingtone(
  encoder: Mp3Encoder,
  sound: AdtsSound,
  signal: EncodeRequest['signal'],
): Promise<EncodedSound> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of encoder.encodeAac?.({ sound, fast: false, fade: fadeOf(sound), signal }) ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Failure('conversion_failed', { note: `${length} bytes of a ringtone` });
    chunks.push(chunk);
  }
  return movieOf(Buffer.concat(chunks), sound);
}

function movieOf(bytes: Buffer, { config, skipSamples, durationS }: AdtsSound): EncodedSound {
  const offsets: number[] = [];
  const sizes: number[] = [];
  for (let at = 0, frame = 0; at < bytes.length; at += frame) {
    frame = adtsFrameLength(bytes, at);
    if (frame <= adtsHeaderBytes || at + frame > bytes.length)
      throw new Failure('conversion_failed', { note: 'no whole AAC frames came out' });
    offsets.push(at + adtsHeaderBytes);
    sizes.push(frame - adtsHeaderBytes);
  }
  const sampleRate = aacSampleRates[((bytes[2] ?? 0) >> 2) & 15] ?? config.outputSampleRate;
  const encoded: AacConfig = {
    objectType: 2,
    sampleRate,
    outputSampleRate: sampleRate,
    channels: ((bytes[2] ?? 0) & 1) * 4 + ((bytes[3] ?? 0) >> 6),
  };
  const start = encoderDelay + Math.round((Math.max(0, skipSamples) / config.outputSampleRate) * sampleRate);
  const end = Math.min(sizes.length * samplesPerFrame, start + Math.round(durationS * sampleRate));
  if (end <= start) throw new Failure('conversion_failed', { note: `${sizes.length} frames came out` });
  const movie: Movie = {
    size: bytes.length,
    hasRanges: true,
    head: bytes,
    bytesRead: 0,
    sound: {
      config: encoded,
      specificConfig: specificConfigOf(encoded),
      samples: {
        count: sizes.length,
        offsets: Float64Array.from(offsets),
        sizes: Uint32Array.from(sizes),
        bytes: sizes.reduce((sum, size) => sum + size, 0),
      },
      heard: { start, end },
    },
  };
  return { movie, source: sourceOf(bytes) };
}

/** ISO/IEC 14496-3, 1.6.2.1, of AAC LC. */
const specificConfigOf = ({ sampleRate, channels }: AacConfig): Buffer =>
  u16((2 << 11) | (aacSampleRates.indexOf(sampleRate) << 7) | (channels << 3));

function sourceOf(bytes: Buffer): ByteSource {
  async function* stream(start: number, end: number | null) {
    yield bytes.subarray(start, end ?? undefined);
  }
  return {
    size: bytes.length,
    hasRanges: true,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    stream,
    whole: () => stream(0, null),
  };
}
