import { soundSampleEntry, type Track, videoSampleEntry } from './boxes.ts';
import {
  FRAMES_PER_SECOND,
  type SoundStreamName,
  soundStream,
  type VideoStreamName,
  videoStream,
} from './streams.ts';

/** The content of a clip. The streams are looped to the requested length. */
export interface ClipSpec {
  readonly video: VideoStreamName | null;
  readonly sound: SoundStreamName | null;
  readonly seconds: number;
  /** Interleaving interval of picture and sound; the platform uses half a second. */
  readonly interleaveS?: number;
  readonly moov?: 'first' | 'last';
  /** Size of the whole file: filler units pad the pictures. Without it the file is as small as possible. */
  readonly bytes?: number;
  /** Four letters in the sound's entry in place of `mp4a`, as if it had another codec. */
  readonly soundEntry?: string;
  /** Written in fragments of two seconds, with an index (`sidx`) in front if there is only one track. */
  readonly fragmented?: boolean;
  /** An edit list that skips this many units at the beginning of the sound, as encoders do with their delay. */
  readonly soundEdit?: number;
  /** Text in a `free` box, by which tests distinguish files. */
  readonly mark?: string;
}

/** A clip of known size, whose bytes are made on demand. */
export interface Clip {
  readonly size: number;
  build(): Buffer;
}

const AAC_FRAME_SAMPLES = 1024;

/** One track of a clip and the samples that it repeats. */
export interface Input {
  readonly track: Omit<Track, 'chunkOffsets' | 'samplesPerChunk' | 'sampleSizes'>;
  readonly samples: readonly Buffer[];
  readonly count: number;
  /** Header of a unit that decoders skip; none for sound. */
  readonly fillerHeader: readonly number[];
}

/** Headers of filler data units, which decoders skip: type 12 in H.264 (7.4.1), type 38 in H.265 (7.4.2.2). */
const FILLER_HEADERS = { h264: [12], h265: [38 << 1, 1] } as const;

/** The tracks of a clip, picture first. */
export function inputsOf(spec: ClipSpec): Input[] {
  const inputs: Input[] = [];
  if (spec.video !== null) {
    const stream = videoStream(spec.video);
    const count = Math.round(spec.seconds * FRAMES_PER_SECOND);
    const keyFrames: number[] = [];
    for (let frame = 0; frame < count; frame += stream.samples.length) keyFrames.push(frame + 1);
    inputs.push({
      samples: stream.samples,
      count,
      fillerHeader: FILLER_HEADERS[stream.codec],
      track: {
        id: 1,
        kind: 'video',
        timescale: FRAMES_PER_SECOND * 1000,
        sampleDuration: 1000,
        sampleEntry: videoSampleEntry(stream.codec, stream.width, stream.height, stream.configuration),
        width: stream.width,
        height: stream.height,
        keyFrames,
      },
    });
  }
  if (spec.sound !== null) {
    const stream = soundStream(spec.sound);
    inputs.push({
      samples: stream.samples,
      fillerHeader: [],
      count: Math.ceil((spec.seconds * stream.sampleRate) / AAC_FRAME_SAMPLES),
      track: {
        id: 2,
        kind: 'sound',
        timescale: stream.sampleRate,
        sampleDuration: AAC_FRAME_SAMPLES,
        sampleEntry: soundSampleEntry(
          stream.sampleRate,
          stream.channels,
          stream.configuration,
          spec.soundEntry,
        ),
        width: 0,
        height: 0,
        keyFrames: null,
        ...(spec.soundEdit !== undefined && { editStart: spec.soundEdit }),
      },
    });
  }
  return inputs;
}

/** Number of consecutive samples at that interleaving interval. */
export function samplesPerChunk({ track, count }: Input, interleaveS: number): number[] {
  const perSecond = track.timescale / track.sampleDuration;
  const chunks: number[] = [];
  for (let done = 0, turn = 1; done < count; turn += 1) {
    // Rounded against binary fractions: 0.1 * 3 * 30 must be 9, not 9.000000000000002.
    const until = Math.min(count, Math.ceil(Math.round(turn * interleaveS * perSecond * 1e6) / 1e6));
    chunks.push(until - done);
    done = until;
  }
  return chunks;
}

/** Sizes of a track's samples without any filler. */
export function bareSizes({ samples, count }: Input): number[] {
  return Array.from({ length: count }, (_, index) => samples[index % samples.length]?.length ?? 0);
}

/** Bytes of filler that a sample can take: the minimum is a length, a unit header and a stop byte. */
const MIN_FILLER = 8;

/** Sizes of a track that takes this many bytes more. */
export function padded(sizes: readonly number[], bytes: number): readonly number[] {
  if (sizes.length === 0 || bytes < MIN_FILLER) return sizes;
  const each = Math.floor(bytes / sizes.length);
  const share = each < MIN_FILLER ? 0 : each;
  const last = bytes - share * (sizes.length - 1);
  return sizes.map((size, index) => size + (index === sizes.length - 1 ? last : share));
}

/** Writes a sample, filled up to its size. */
export function writeSample(target: Buffer, { samples, fillerHeader }: Input, index: number): void {
  const sample = samples[index % samples.length];
  if (sample === undefined) throw new Error('A stream without samples cannot be looped');
  sample.copy(target);
  if (target.length > sample.length) writeFiller(target.subarray(sample.length), fillerHeader);
}

function writeFiller(target: Buffer, header: readonly number[]): void {
  target.writeUInt32BE(target.length - 4);
  target.fill(0xff, 4);
  target.set(header, 4);
  target.writeUInt8(0x80, target.length - 1);
}
