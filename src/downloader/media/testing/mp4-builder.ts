import { adtsFrameLength, adtsHeaderBytes } from '../adts.ts';
import { samplesPerFrame } from '../mp4/sound-track.ts';
import { box, descriptor, fullBox, u16, u32, u32s } from '../mp4/write-boxes.ts';

/** The kind of mp4 to build. */
export interface Mp4Options {
  /** AAC frames without ADTS headers. */
  readonly frames: readonly Buffer[];
  /** Seconds of sound in a chunk before picture bytes follow; default 0.5. */
  readonly interleaveS?: number;
  /** Picture bytes between two chunks of sound; 0 makes a file without a picture track. Default 20,000. */
  readonly pictureBytes?: number;
  readonly moov?: 'first' | 'last';
  readonly co64?: boolean;
  /** 4, 8 or 16 bits for `stz2`; 32 for `stsz`. */
  readonly sizeBits?: 8 | 16 | 32;
  /**
   * `media_time` of the edit list in samples, the audible length in seconds, and seconds before that; no list without
   * it.
   */
  readonly edit?: { readonly mediaTime: number; readonly durationS: number; readonly waitS?: number };
  /** Puts the chunks of sound behind all of the picture, the last one first. */
  readonly isBackwards?: boolean;
  /** Frames of a sound track that comes first and is not enabled. */
  readonly disabledFrames?: readonly Buffer[];
  readonly specificConfig?: Buffer;
  readonly sampleRate?: number;
  readonly channels?: number;
  /** False leaves the sound track out. */
  readonly sound?: boolean;
  /** Says that fragments may follow (`mvex`). */
  readonly fragmented?: boolean;
  /** Sample entry of the sound; default `mp4a`. */
  readonly soundFormat?: string;
  /** Two sample descriptions of the sound: equal ones that the chunks have in turn, or a foreign one before its own. */
  readonly descriptions?: 'alternating' | 'foreign-first';
  /** `objectTypeIndication` in `esds`; default 0x40 (MPEG-4 audio). */
  readonly codec?: number;
}

/** The payloads of the frames of a raw AAC file. */
export function framesOfAdts(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = adtsFrameLength(bytes, at);
    if (length === 0) throw new Error(`no ADTS frame at ${at}`);
    frames.push(bytes.subarray(at + adtsHeaderBytes, at + length));
    at += length;
  }
  return frames;
}

/** Builds an mp4 in memory with a real sound and, unless left out, a picture track of meaningless bytes. */
export function buildMp4(options: Mp4Options): Buffer {
  const { frames, interleaveS = 0.5, pictureBytes = 20_000, moov: moovPlace = 'first' } = options;
  const sampleRate = options.sampleRate ?? 44100;
  const perChunk = Math.max(1, Math.round((interleaveS * sampleRate) / samplesPerFrame));
  const chunks: Buffer[][] = [];
  if (options.sound !== false) {
    for (let n = 0; n < frames.length; n += perChunk) chunks.push(frames.slice(n, n + perChunk));
  }
  const pictureCount = pictureBytes === 0 ? 0 : Math.max(1, chunks.length);
  const picture = Buffer.alloc(pictureBytes, 0xab);
  const ftyp = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1'));

  const data: Buffer[] = [];
  const soundAt: number[] = [];
  const pictureAt: number[] = [];
  let at = 0;
  const addChunk = (n: number) => {
    soundAt[n] = at;
    for (const frame of chunks[n] ?? []) {
      data.push(frame);
      at += frame.length;
    }
  };
  for (let n = 0; n < Math.max(chunks.length, pictureCount); n++) {
    if (n < pictureCount) {
      pictureAt.push(at);
      data.push(picture);
      at += picture.length;
    }
    if (options.isBackwards !== true) addChunk(n);
  }
  if (options.isBackwards === true) for (let n = chunks.length - 1; n >= 0; n--) addChunk(n);
  const disabledAt = at;
  const disabled = options.disabledFrames ?? [];
  data.push(...disabled);
  const mdat = box('mdat', ...data);
  const tracks = (base: number) => {
    const shifted = (offsets: readonly number[]) => offsets.map((offset) => offset + base);
    const sound = options.sound === false ? [] : [soundTrack(options, sampleRate, chunks, shifted(soundAt))];
    const pictures = pictureCount === 0 ? [] : [pictureTrack(pictureCount, pictureBytes, shifted(pictureAt))];
    const header = fullBox('mvhd', 0, u32(0, 0, 1000, 60_000), Buffer.alloc(80));
    const other =
      disabled.length === 0 ? [] : [soundTrack(options, sampleRate, [disabled], shifted([disabledAt]), 0)];
    return box(
      'moov',
      header,
      ...pictures,
      ...other,
      ...sound,
      ...(options.fragmented === true ? [box('mvex', fullBox('trex', 0, u32(0, 1, 0, 0, 0)))] : []),
    );
  };
  if (moovPlace === 'last') return Buffer.concat([ftyp, mdat, tracks(ftyp.length + 8)]);
  const length = tracks(0).length;
  return Buffer.concat([ftyp, tracks(ftyp.length + length + 8), mdat]);
}

function soundTrack(
  options: Mp4Options,
  sampleRate: number,
  chunks: readonly (readonly Buffer[])[],
  offsets: readonly number[],
  flags = 3,
): Buffer {
  const frames = chunks.flat();
  const channels = options.channels ?? 2;
  const config = options.specificConfig ?? Buffer.from([0x12, 0x10]);
  const entry = Buffer.alloc(28);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(channels, 16);
  entry.writeUInt16BE(16, 18);
  entry.writeUInt16BE(sampleRate > 65535 ? 0 : sampleRate, 24);
  const decoder = descriptor(
    4,
    Buffer.from([options.codec ?? 0x40, 0x15]),
    Buffer.alloc(11),
    descriptor(5, config),
  );
  const esds = fullBox(
    'esds',
    0,
    descriptor(3, Buffer.from([0, 1, 0]), decoder, descriptor(6, Buffer.from([2]))),
  );
  const sizes = frames.map((frame) => frame.length);
  const perChunk = chunks[0]?.length ?? 1;
  const last = chunks.at(-1)?.length ?? perChunk;
  let stsc = last === perChunk ? [1, perChunk, 1] : [1, perChunk, 1, chunks.length, last, 1];
  const own = box(options.soundFormat ?? 'mp4a', entry, esds);
  const { descriptions: kind } = options;
  const first = kind === 'foreign-first' ? box('ac-3', entry) : own;
  const descriptions = kind === undefined ? [own] : [first, own];
  if (kind !== undefined)
    stsc = chunks.flatMap((chunk, n) => [n + 1, chunk.length, kind === 'alternating' ? 1 + (n % 2) : 2]);
  return box(
    'trak',
    fullBox('tkhd', flags, Buffer.alloc(80)),
    ...editsOf(options),
    box(
      'mdia',
      fullBox('mdhd', 0, u32(0, 0, sampleRate, frames.length * samplesPerFrame, 0)),
      fullBox('hdlr', 0, u32(0), Buffer.from('soun'), Buffer.alloc(13)),
      box(
        'minf',
        fullBox('smhd', 0, u32(0)),
        box(
          'stbl',
          fullBox('stsd', 0, u32(descriptions.length), ...descriptions),
          fullBox('stts', 0, u32(1, frames.length, samplesPerFrame)),
          fullBox('stsc', 0, u32(stsc.length / 3, ...stsc)),
          sizeBox(sizes, options.sizeBits ?? 32),
          offsetBox(offsets, options.co64 === true),
        ),
      ),
    ),
  );
}

function editsOf({ edit }: Mp4Options): Buffer[] {
  if (edit === undefined) return [];
  const { waitS = 0, durationS, mediaTime } = edit;
  const entries = [
    ...(waitS > 0 ? [u32(Math.round(waitS * 1000), 0xffffffff, 0x10000)] : []),
    u32(Math.floor(durationS * 1000), mediaTime, 0x10000),
  ];
  return [box('edts', fullBox('elst', 0, u32(entries.length), ...entries))];
}

function pictureTrack(count: number, bytes: number, offsets: readonly number[]): Buffer {
  return box(
    'trak',
    fullBox('tkhd', 3, Buffer.alloc(80)),
    box(
      'mdia',
      fullBox('mdhd', 0, u32(0, 0, 1000, count * 500, 0)),
      fullBox('hdlr', 0, u32(0), Buffer.from('vide'), Buffer.alloc(13)),
      box(
        'minf',
        box(
          'stbl',
          fullBox('stsd', 0, u32(1), box('avc1', u16(0, 0, 0, 1), Buffer.alloc(70))),
          fullBox('stts', 0, u32(1, count, 500)),
          fullBox('stsc', 0, u32(1, 1, 1, 1)),
          fullBox('stsz', 0, u32(bytes, count)),
          offsetBox(offsets, false),
        ),
      ),
    ),
  );
}

function sizeBox(sizes: readonly number[], bits: 8 | 16 | 32): Buffer {
  if (bits === 32) return fullBox('stsz', 0, u32(0, sizes.length), u32s(sizes));
  const fields = Buffer.alloc((sizes.length * bits) / 8);
  for (const [n, size] of sizes.entries()) fields.writeUIntBE(size, (n * bits) / 8, bits / 8);
  return fullBox('stz2', 0, u32(bits, sizes.length), fields);
}

function offsetBox(offsets: readonly number[], large: boolean): Buffer {
  if (!large) return fullBox('stco', 0, u32(offsets.length), u32s(offsets));
  const fields = Buffer.alloc(offsets.length * 8);
  for (const [n, offset] of offsets.entries()) fields.writeBigUInt64BE(BigInt(offset), n * 8);
  return fullBox('co64', 0, u32(offsets.length), fields);
}
