import { Failure } from '../../failures/failures.ts';
import type { AacConfig, ByteSource } from './contracts.ts';
import { maybeSbr } from './mp3/layout.ts';
import type { Movie } from './mp4/read-movie.ts';
import { samplesPerFrame } from './mp4/sound-track.ts';
import { box, bytes, descriptor, fullBox, u16, u32, u32s } from './mp4/write-boxes.ts';
import { type ReadSoundOptions, readSoundPieces } from './read-sound.ts';
import type { SoundPlan } from './sound-plan.ts';
import { type MediaTags, writeTags } from './tags.ts';

/** Elements of a frame (ISO/IEC 14496-3, 4.4.2.1): one channel, two, and the low frequencies. */
const single = 0;
const pair = 1;
const low = 3;

/** Elements by the number of channels (table 1.19). */
const elements: Readonly<Record<number, readonly number[]>> = {
  1: [single],
  2: [pair],
  3: [single, pair],
  4: [single, pair, single],
  5: [single, pair, pair],
  6: [single, pair, pair, low],
  8: [single, pair, pair, pair, low],
};

/**
 * A fill element with the extension of SBR, without its header (4.4.2.8): a decoder knows then that there is SBR, and only
 * doubles the rate until a header comes. Most decoders look for it in the first frame only.
 */
const sbr = `110${'0001'}${'1101'}${'0000'}`;

/** One long window without any bands (`ics_info`, 11 bits), and a channel's gain and its three tools, none in use. */
const window = '0'.repeat(11);
const gain = '0'.repeat(8);
const tools = '000';
const end = '111';

/** A frame that decodes to silence. It has SBR where the frames behind it may have it. */
function silentAacFrame(config: Pick<AacConfig, 'objectType' | 'sampleRate' | 'channels'>): Buffer {
  const { objectType, channels } = config;
  const hasSbr = objectType !== 2 || maybeSbr(config);
  const used = new Map<number, number>();
  let bits = '';
  for (const element of elements[channels] ?? []) {
    const tag = used.get(element) ?? 0;
    used.set(element, tag + 1);
    bits += element.toString(2).padStart(3, '0') + tag.toString(2).padStart(4, '0');
    // A pair has its window in common, and no joint stereo.
    bits += element === pair ? `1${window}00${(gain + tools).repeat(2)}` : gain + window + tools;
    if (hasSbr && element !== low) bits += sbr;
  }
  const bytes = (bits + end).match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

/** An m4a that is made while it is read. */
interface M4aFile {
  /** Exact bytes of the whole file. */
  readonly length: number;
  /** Can be read once. @throws as `readSound` */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Frames in a chunk: about a second, so that players seek without reading much. */
const framesPerChunk = 43;
/** 32-bit offsets are enough below this. */
const maxBytes = 2 ** 31;

/**
 * The original sound without conversion: the movie's own AAC frames in a new mp4, tables first, so that it plays while
 * it arrives and its length is known before the first byte.
 * @throws Failure `media_too_large`
 */
export function writeM4a(
  source: ByteSource,
  movie: Movie,
  plan: SoundPlan,
  tags: MediaTags,
  options: ReadSoundOptions,
): M4aFile {
  const sizes = plannedSizes(movie, plan);
  const soundBytes = sizes.reduce((sum, size) => sum + size, 0);
  if (soundBytes >= maxBytes) throw new Failure('media_too_large', { note: `${soundBytes} bytes of sound` });
  const ftyp = box('ftyp', bytes('M4A '), u32(0x200), bytes('M4A mp42isom'));
  const length = tables(movie, plan, tags, sizes, 0).length;
  const moov = tables(movie, plan, tags, sizes, ftyp.length + length + 8);
  const head = Buffer.concat([ftyp, moov, u32(soundBytes + 8), bytes('mdat')]);
  return { length: head.length + soundBytes, chunks: chunks(head, source, movie, plan, options) };
}

async function* chunks(
  head: Buffer,
  source: ByteSource,
  movie: Movie,
  plan: SoundPlan,
  options: ReadSoundOptions,
): AsyncGenerator<Uint8Array> {
  const { config, samples } = movie.sound;
  const { offsets, sizes } = samples;
  const silent = silentAacFrame(config);
  const silence = Buffer.alloc(silentFramesOf(plan) * silent.length, silent);
  let first: Buffer | null = Buffer.concat([head, silence]);
  for await (const { bytes: found, start, firstFrame, endFrame } of readSoundPieces(
    source,
    movie,
    plan,
    options,
  )) {
    // The tables are sent with the first sound, so that an unreadable file fails before its first byte.
    if (first !== null) yield first;
    first = null;
    for (let n = firstFrame; n < endFrame; ) {
      const from = (offsets[n] ?? 0) - start;
      let to = from;
      for (; n < endFrame && (offsets[n] ?? 0) - start === to; n++) to += sizes[n] ?? 0;
      yield found.subarray(from, to);
    }
  }
}

/** Frames of silence before the first: an m4a has no encoder that makes it. */
function silentFramesOf({ facts: { config, skipSamples } }: SoundPlan): number {
  return Math.max(
    0,
    Math.ceil((-skipSamples * config.sampleRate) / config.outputSampleRate / samplesPerFrame),
  );
}

function plannedSizes({ sound: { config, samples } }: Movie, plan: SoundPlan): Uint32Array {
  const { runs } = plan;
  const silentFrames = silentFramesOf(plan);
  const own = samples.sizes.subarray(runs[0]?.firstFrame ?? 0, runs.at(-1)?.endFrame ?? 0);
  const sizes = new Uint32Array(silentFrames + own.length).fill(silentAacFrame(config).length);
  sizes.set(own, silentFrames);
  return sizes;
}

function tables(movie: Movie, plan: SoundPlan, tags: MediaTags, sizes: Uint32Array, soundAt: number): Buffer {
  const { config, specificConfig } = movie.sound;
  const { facts } = plan;
  const timescale = config.sampleRate;
  const skipped = Math.round((facts.skipSamples * config.sampleRate) / config.outputSampleRate);
  const skip = skipped + silentFramesOf(plan) * samplesPerFrame;
  const heard = Math.round(facts.durationS * timescale);
  const whole = sizes.length * samplesPerFrame;
  const soundBytes = sizes.reduce((sum, size) => sum + size, 0);
  const bitrate = Math.round((soundBytes * 8) / (whole / timescale));
  const matrix = Buffer.concat([u32(0x10000), u32(0, 0, 0), u32(0x10000), u32(0, 0, 0), u32(0x40000000)]);
  const mvhd = fullBox(
    'mvhd',
    0,
    u32(0, 0, timescale, heard, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    matrix,
    Buffer.alloc(24),
    u32(2),
  );
  const tkhd = fullBox('tkhd', 7, u32(0, 0, 1, 0, heard, 0, 0), u16(0, 1, 0x100, 0), matrix, u32(0, 0));
  const elst = box('edts', fullBox('elst', 0, u32(1, heard, skip, 0x10000)));
  const mdhd = fullBox('mdhd', 0, u32(0, 0, timescale, whole), u16(0x55c4, 0));
  const hdlr = fullBox('hdlr', 0, u32(0), bytes('soun'), u32(0, 0, 0), bytes('Sound\0'));
  const decoder = descriptor(
    4,
    Buffer.from([0x40, 0x15, 0, 0, 0]),
    u32(bitrate, bitrate),
    descriptor(5, specificConfig),
  );
  const esds = fullBox(
    'esds',
    0,
    descriptor(3, Buffer.from([0, 1, 0]), decoder, descriptor(6, Buffer.from([2]))),
  );
  const rate = timescale < 65536 ? timescale : 0;
  const entry = box(
    'mp4a',
    u16(0, 0, 0, 1),
    u32(0, 0),
    u16(Math.min(2, config.channels), 16, 0, 0, rate, 0),
    esds,
  );
  const stbl = box(
    'stbl',
    fullBox('stsd', 0, u32(1), entry),
    fullBox('stts', 0, u32(1, sizes.length, samplesPerFrame)),
    fullBox('stsc', 0, chunkRuns(sizes.length)),
    fullBox('stsz', 0, u32(0, sizes.length), u32s(sizes)),
    fullBox('stco', 0, chunkOffsets(sizes, soundAt)),
  );
  const dinf = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));
  const minf = box('minf', fullBox('smhd', 0, u32(0)), dinf, stbl);
  return box('moov', mvhd, box('trak', tkhd, elst, box('mdia', mdhd, hdlr, minf)), writeTags(tags));
}

/** Chunks of a second, the last one shorter. */
function chunkRuns(frames: number): Buffer {
  const whole = Math.floor(frames / framesPerChunk);
  const rest = frames % framesPerChunk;
  const runs = [...(whole > 0 ? [1, framesPerChunk, 1] : []), ...(rest > 0 ? [whole + 1, rest, 1] : [])];
  return u32(runs.length / 3, ...runs);
}

function chunkOffsets(sizes: Uint32Array, soundAt: number): Buffer {
  const offsets: number[] = [];
  let at = soundAt;
  sizes.forEach((size, n) => {
    if (n % framesPerChunk === 0) offsets.push(at);
    at += size;
  });
  return Buffer.concat([u32(offsets.length), u32s(offsets)]);
}
