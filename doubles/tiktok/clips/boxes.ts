/** The boxes of an mp4 as this muxer writes them (ISO/IEC 14496-12 and -14). */

/** One box: size, type, contents. */
export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const size = contents.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([uint32(size), Buffer.from(type, 'latin1'), ...contents], size);
}

/** A box with the given version (the first of four bytes) and flags. */
export function fullBox(type: string, flags: number, ...contents: readonly Buffer[]): Buffer {
  return box(type, uint32(flags), ...contents);
}

/** Big-endian 32-bit numbers in a row. */
export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value, index * 4);
  });
  return bytes;
}

/** Big-endian 16-bit numbers in a row. */
function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 2);
  values.forEach((value, index) => {
    bytes.writeUInt16BE(value, index * 2);
  });
  return bytes;
}

const UNITY_MATRIX = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** Units per second of the movie header. */
const MOVIE_TIMESCALE = 1000;

export interface Track {
  readonly id: number;
  readonly kind: 'video' | 'sound';
  readonly timescale: number;
  /** Duration of every sample, in `timescale` units. */
  readonly sampleDuration: number;
  readonly sampleEntry: Buffer;
  readonly width: number;
  readonly height: number;
  readonly sampleSizes: readonly number[];
  /** Numbers of the key frames, from 1; null when every sample is one. */
  readonly keyFrames: readonly number[] | null;
  readonly samplesPerChunk: readonly number[];
  /** From the start of the file. */
  readonly chunkOffsets: readonly number[];
  /** Where an edit list makes the track begin, in `timescale` units; absent without a list. */
  readonly editStart?: number;
}

/** The first boxes of every file. */
export function frontBoxes(mark: string | undefined): Buffer {
  return Buffer.concat([
    box('ftyp', Buffer.from('isom', 'latin1'), uint32(0x200), Buffer.from('isomiso2avc1mp41', 'latin1')),
    ...(mark === undefined ? [] : [box('free', Buffer.from(mark, 'utf8'))]),
  ]);
}

/** @param fragmented says that the samples are in fragments, and not in the tables here */
export function moovBox(tracks: readonly Track[], fragmented = false): Buffer {
  const durations = tracks.map((track) => movieDuration(track));
  const header = fullBox(
    'mvhd',
    0,
    uint32(0, 0, MOVIE_TIMESCALE, Math.max(0, ...durations), 0x10000),
    uint16(0x100, 0),
    uint32(0, 0),
    UNITY_MATRIX,
    uint32(0, 0, 0, 0, 0, 0),
    uint32(tracks.length + 1),
  );
  const defaults = tracks.map(({ id }) => fullBox('trex', 0, uint32(id, 1, 0, 0, 0)));
  return box('moov', header, ...tracks.map(trackBox), ...(fragmented ? [box('mvex', ...defaults)] : []));
}

function movieDuration(track: Track): number {
  return Math.round((track.sampleSizes.length * track.sampleDuration * MOVIE_TIMESCALE) / track.timescale);
}

function trackBox(track: Track): Buffer {
  const isVideo = track.kind === 'video';
  const header = fullBox(
    'tkhd',
    3,
    uint32(0, 0, track.id, 0, movieDuration(track), 0, 0),
    uint16(0, isVideo ? 0 : 1, isVideo ? 0 : 0x100, 0),
    UNITY_MATRIX,
    uint32(track.width * 0x10000, track.height * 0x10000),
  );
  // The length of a fragmented file is unknown here: 0 means all of it.
  const edits =
    track.editStart === undefined
      ? []
      : [box('edts', fullBox('elst', 0, uint32(1, movieDuration(track), track.editStart, 0x10000)))];
  const mediaHeader = fullBox(
    'mdhd',
    0,
    uint32(0, 0, track.timescale, track.sampleSizes.length * track.sampleDuration),
    uint16(0x55c4, 0),
  );
  const handler = fullBox(
    'hdlr',
    0,
    uint32(0),
    Buffer.from(isVideo ? 'vide' : 'soun', 'latin1'),
    uint32(0, 0, 0),
    Buffer.from(isVideo ? 'VideoHandler\0' : 'SoundHandler\0', 'latin1'),
  );
  const dataInformation = box('dinf', fullBox('dref', 0, uint32(1), fullBox('url ', 1)));
  const specificHeader = isVideo ? fullBox('vmhd', 1, uint16(0, 0, 0, 0)) : fullBox('smhd', 0, uint16(0, 0));
  const information = box('minf', specificHeader, dataInformation, sampleTable(track));
  return box('trak', header, ...edits, box('mdia', mediaHeader, handler, information));
}

function sampleTable(track: Track): Buffer {
  const chunkRuns: number[][] = [];
  track.samplesPerChunk.forEach((samples, index) => {
    if (chunkRuns.at(-1)?.[1] !== samples) chunkRuns.push([index + 1, samples, 1]);
  });
  const count = track.sampleSizes.length;
  return box(
    'stbl',
    fullBox('stsd', 0, uint32(1), track.sampleEntry),
    fullBox('stts', 0, count === 0 ? uint32(0) : uint32(1, count, track.sampleDuration)),
    ...(track.keyFrames === null || count === 0
      ? []
      : [fullBox('stss', 0, uint32(track.keyFrames.length, ...track.keyFrames))]),
    fullBox('stsc', 0, uint32(chunkRuns.length), ...chunkRuns.map((run) => uint32(...run))),
    fullBox('stsz', 0, uint32(0, count), uint32(...track.sampleSizes)),
    fullBox('stco', 0, uint32(track.chunkOffsets.length), uint32(...track.chunkOffsets)),
  );
}

/** `avc1` or `hvc1` with its configuration box. */
export function videoSampleEntry(
  codec: 'h264' | 'h265',
  width: number,
  height: number,
  configuration: Buffer,
): Buffer {
  const [entry, child] = codec === 'h264' ? (['avc1', 'avcC'] as const) : (['hvc1', 'hvcC'] as const);
  return box(
    entry,
    uint16(0, 0, 0, 1),
    uint32(0, 0, 0, 0),
    uint16(width, height),
    uint32(0x480000, 0x480000, 0),
    uint16(1),
    Buffer.alloc(32),
    uint16(0x18, 0xffff),
    box(child, configuration),
  );
}

/** `mp4a` (or another given name) with an `esds` that contains the AudioSpecificConfig. */
export function soundSampleEntry(
  sampleRate: number,
  channels: number,
  configuration: Buffer,
  name = 'mp4a',
): Buffer {
  const decoderConfig = descriptor(
    4,
    Buffer.from([0x40, 0x15, 0, 0, 0]),
    uint32(128_000, 128_000),
    descriptor(5, configuration),
  );
  const elementary = descriptor(3, Buffer.from([0, 0, 0]), decoderConfig, descriptor(6, Buffer.from([2])));
  return box(
    name,
    uint16(0, 0, 0, 1),
    uint32(0, 0),
    uint16(channels, 16, 0, 0),
    uint32(sampleRate * 0x10000),
    fullBox('esds', 0, elementary),
  );
}

function descriptor(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, 0x80, 0x80, 0x80, body.length]), body]);
}
