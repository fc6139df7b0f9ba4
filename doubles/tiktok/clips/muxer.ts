import { box, moovBox, soundSampleEntry, type Track, uint32, videoSampleEntry } from './boxes.ts';
import {
  FRAMES_PER_SECOND,
  type SoundStreamName,
  soundStream,
  type VideoStreamName,
  videoStream,
} from './streams.ts';

/** What a clip is made of. The streams are looped to the length asked for. */
export interface ClipSpec {
  readonly video: VideoStreamName | null;
  readonly sound: SoundStreamName | null;
  readonly seconds: number;
  /** Picture and sound take turns in the file at this pace; half a second is what the platform does. */
  readonly interleaveS?: number;
  readonly moov?: 'first' | 'last';
  /** Size of the whole file: the pictures are padded with filler units. Without it the file is as small as it gets. */
  readonly bytes?: number;
  /** Four letters that the sound's entry has instead of `mp4a`, as if it were of another codec. */
  readonly soundEntry?: string;
  /** Says that fragments follow (`mvex`), as files for streaming do. */
  readonly fragmented?: boolean;
  /** Text in a `free` box, by which a test can tell one file from another. */
  readonly mark?: string;
}

/** A clip whose size is known and whose bytes are made when asked for. */
export interface Clip {
  readonly size: number;
  build(): Buffer;
}

const AAC_FRAME_SAMPLES = 1024;

interface Input {
  readonly track: Omit<Track, 'chunkOffsets' | 'samplesPerChunk' | 'sampleSizes'>;
  readonly samples: readonly Buffer[];
  readonly count: number;
  readonly fillerHeader: readonly number[];
}

/** Headers of filler data units, which decoders skip: type 12 in H.264 (7.4.1), type 38 in H.265 (7.4.2.2). */
const FILLER_HEADERS = { h264: [12], h265: [38 << 1, 1] } as const;

/** Lays out an mp4 (ISO/IEC 14496-12, without fragments) without writing its media yet. */
export function planClip(spec: ClipSpec): Clip {
  const inputs = inputsOf(spec);
  const interleaveS = spec.interleaveS ?? 0.5;
  const front = Buffer.concat([
    box('ftyp', Buffer.from('isom', 'latin1'), uint32(0x200), Buffer.from('isomiso2avc1mp41', 'latin1')),
    ...(spec.mark === undefined ? [] : [box('free', Buffer.from(spec.mark, 'utf8'))]),
  ]);
  const chunks = inputs.map((input) => samplesPerChunk(input, interleaveS));
  const bareSizes = inputs.map(({ samples, count }) =>
    Array.from({ length: count }, (_, index) => samples[index % samples.length]?.length ?? 0),
  );
  const placeholders = inputs.map(({ track }, index) => ({
    ...track,
    sampleSizes: bareSizes[index] ?? [],
    samplesPerChunk: chunks[index] ?? [],
    chunkOffsets: (chunks[index] ?? []).map(() => 0),
  }));
  const moovLength = moovBox(placeholders, spec.fragmented).length;
  const bareTotal = bareSizes.flat().reduce((sum, size) => sum + size, front.length + moovLength + 8);
  const sizes = bareSizes.map((track, index) =>
    inputs[index]?.track.kind === 'video' && spec.bytes !== undefined
      ? padded(track, spec.bytes - bareTotal)
      : track,
  );

  const moovFirst = spec.moov !== 'last';
  const mediaStart = front.length + (moovFirst ? moovLength : 0) + 8;
  const { offsets, end } = placeChunks(sizes, chunks, mediaStart);
  const tracks = placeholders.map((track, index) => ({
    ...track,
    sampleSizes: sizes[index] ?? [],
    chunkOffsets: offsets[index] ?? [],
  }));
  const size = end + (moovFirst ? 0 : moovLength);

  function build(): Buffer {
    const file = Buffer.allocUnsafe(size);
    front.copy(file);
    moovBox(tracks, spec.fragmented).copy(file, moovFirst ? front.length : end);
    file.writeUInt32BE(end - mediaStart + 8, mediaStart - 8);
    file.write('mdat', mediaStart - 4, 'latin1');
    tracks.forEach((track, index) => {
      const input = inputs[index];
      if (input !== undefined) writeSamples(file, track, input);
    });
    return file;
  }

  return { size, build };
}

function inputsOf(spec: ClipSpec): Input[] {
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
      },
    });
  }
  return inputs;
}

function samplesPerChunk({ track, count }: Input, interleaveS: number): number[] {
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

/** Bytes of filler that a sample can take: a length, a unit header and a stop byte are needed at least. */
const MIN_FILLER = 8;

function padded(sizes: readonly number[], bytes: number): readonly number[] {
  if (sizes.length === 0 || bytes < MIN_FILLER) return sizes;
  const each = Math.floor(bytes / sizes.length);
  const share = each < MIN_FILLER ? 0 : each;
  const last = bytes - share * (sizes.length - 1);
  return sizes.map((size, index) => size + (index === sizes.length - 1 ? last : share));
}

function placeChunks(
  sizes: ReadonlyArray<readonly number[]>,
  chunks: ReadonlyArray<readonly number[]>,
  start: number,
): { offsets: number[][]; end: number } {
  const offsets: number[][] = sizes.map(() => []);
  const next = sizes.map(() => 0);
  const turns = Math.max(0, ...chunks.map((track) => track.length));
  let end = start;
  for (let turn = 0; turn < turns; turn += 1) {
    chunks.forEach((track, index) => {
      const count = track[turn];
      if (count === undefined) return;
      offsets[index]?.push(end);
      const first = next[index] ?? 0;
      for (let sample = first; sample < first + count; sample += 1) end += sizes[index]?.[sample] ?? 0;
      next[index] = first + count;
    });
  }
  return { offsets, end };
}

function writeSamples(file: Buffer, track: Track, { samples, fillerHeader }: Input): void {
  let index = 0;
  track.chunkOffsets.forEach((chunkOffset, chunk) => {
    let offset = chunkOffset;
    for (let left = track.samplesPerChunk[chunk] ?? 0; left > 0; left -= 1) {
      const sample = samples[index % samples.length];
      const size = track.sampleSizes[index] ?? 0;
      if (sample === undefined) throw new Error('A stream without samples cannot be looped');
      sample.copy(file, offset);
      if (size > sample.length)
        writeFiller(file.subarray(offset + sample.length, offset + size), fillerHeader);
      offset += size;
      index += 1;
    }
  });
}

function writeFiller(target: Buffer, header: readonly number[]): void {
  target.writeUInt32BE(target.length - 4);
  target.fill(0xff, 4);
  target.set(header, 4);
  target.writeUInt8(0x80, target.length - 1);
}
