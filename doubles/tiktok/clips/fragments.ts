import { box, frontBoxes, fullBox, moovBox, uint32 } from './boxes.ts';
import {
  bareSizes,
  type Clip,
  type ClipSpec,
  type Input,
  padded,
  samplesPerChunk,
  writeSample,
} from './tracks.ts';

/** The length of the streams, so that each fragment begins with a key frame. */
const FRAGMENT_S = 2;

/**
 * Flags of a sample (ISO/IEC 14496-12, 8.8.3.1): it depends on no other, or it depends on others and is not a key
 * frame.
 */
const SYNC = 0x02000000;
const NOT_SYNC = 0x01010000;

/** The samples of one track in one fragment. */
interface Run {
  readonly input: Input;
  readonly first: number;
  readonly sizes: readonly number[];
}

/** Lays out an mp4 in fragments (ISO/IEC 14496-12, 8.8), like files for adaptive streaming. */
export function planFragments(spec: ClipSpec, inputs: readonly Input[]): Clip {
  const empty = inputs.map(({ track }) => ({
    ...track,
    sampleSizes: [],
    samplesPerChunk: [],
    chunkOffsets: [],
  }));
  const front = Buffer.concat([frontBoxes(spec.mark), moovBox(empty, true)]);
  const bare = inputs.map(bareSizes);
  const bareFragments = fragmentsOf(inputs, bare);
  const bareTotal = total(front.length + indexOf(inputs, bareFragments).length, bareFragments);
  const sizes = bare.map((track, index) =>
    inputs[index]?.track.kind === 'video' && spec.bytes !== undefined
      ? padded(track, spec.bytes - bareTotal)
      : track,
  );
  const fragments = fragmentsOf(inputs, sizes);
  const start = Buffer.concat([front, indexOf(inputs, fragments)]);

  return {
    size: total(start.length, fragments),
    build: () =>
      Buffer.concat([
        start,
        ...fragments.flatMap((runs, number) => [moofBox(number + 1, runs), mediaBox(runs)]),
      ]),
  };
}

function fragmentsOf(inputs: readonly Input[], sizes: ReadonlyArray<readonly number[]>): Run[][] {
  const fragments: Run[][] = [];
  inputs.forEach((input, index) => {
    let first = 0;
    samplesPerChunk(input, FRAGMENT_S).forEach((count, number) => {
      const run = { input, first, sizes: (sizes[index] ?? []).slice(first, first + count) };
      fragments[number] = [...(fragments[number] ?? []), run];
      first += count;
    });
  });
  return fragments;
}

function total(front: number, fragments: readonly (readonly Run[])[]): number {
  return fragments.reduce((sum, runs, number) => sum + fragmentBytes(number + 1, runs), front);
}

function fragmentBytes(number: number, runs: readonly Run[]): number {
  return moofBox(number, runs).length + 8 + mediaBytes(runs);
}

function mediaBytes(runs: readonly Run[]): number {
  return runs.reduce((sum, { sizes }) => sizes.reduce((bytes, size) => bytes + size, sum), 0);
}

/** The `sidx` of a file with one track; nothing for one with more. */
function indexOf(inputs: readonly Input[], fragments: readonly (readonly Run[])[]): Buffer {
  const [only, more] = inputs;
  if (only === undefined || more !== undefined) return Buffer.alloc(0);
  const { id, timescale, sampleDuration } = only.track;
  const references = fragments.map((runs, number) =>
    uint32(
      fragmentBytes(number + 1, runs),
      runs.reduce((sum, { sizes }) => sum + sizes.length * sampleDuration, 0),
      0x90000000,
    ),
  );
  return fullBox('sidx', 0, uint32(id, timescale, 0, 0, references.length), ...references);
}

function moofBox(number: number, runs: readonly Run[]): Buffer {
  const make = (size: number) => {
    let offset = size + 8;
    const parts = runs.map((run) => {
      const part = trackFragment(run, offset);
      offset += mediaBytes([run]);
      return part;
    });
    return box('moof', fullBox('mfhd', 0, uint32(number)), ...parts);
  };
  return make(make(0).length);
}

/** @param dataOffset of the first sample, from the start of the `moof` */
function trackFragment({ input, first, sizes }: Run, dataOffset: number): Buffer {
  const { id, sampleDuration, keyFrames } = input.track;
  const isKey = (sample: number) => keyFrames === null || keyFrames.includes(sample + 1);
  const samples = sizes.map((size, index) => uint32(size, isKey(first + index) ? SYNC : NOT_SYNC));
  return box(
    'traf',
    // default-base-is-moof, default-sample-duration-present
    fullBox('tfhd', 0x020008, uint32(id, sampleDuration)),
    // version 1: 64 bits of time
    fullBox('tfdt', 0x01000000, uint32(0, first * sampleDuration)),
    // data-offset, and for each sample its size and flags
    fullBox('trun', 0x000601, uint32(sizes.length, dataOffset), ...samples),
  );
}

function mediaBox(runs: readonly Run[]): Buffer {
  const contents = runs.map(({ input, first, sizes }) => {
    const bytes = Buffer.allocUnsafe(mediaBytes([{ input, first, sizes }]));
    let offset = 0;
    sizes.forEach((size, index) => {
      writeSample(bytes.subarray(offset, offset + size), input, first + index);
      offset += size;
    });
    return bytes;
  });
  return box('mdat', ...contents);
}
