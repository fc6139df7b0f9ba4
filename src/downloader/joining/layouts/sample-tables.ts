import { readSampleTable, type SampleTable } from '../../media/mp4/sample-table.ts';
import { readCompositionOffsets, readDurations, readSyncSamples } from '../../media/mp4/sample-times.ts';
import type { Track } from '../../media/mp4/track.ts';
import { fullBox, u32, u32s } from '../../media/mp4/write-boxes.ts';
import { checkDescriptions, writeDescriptions } from './descriptions.ts';

/*
 * The sample tables (`stbl`) of originals, and those of a file that is made of their samples. They are written anew from
 * what was read, so that what players put up with in an original is right in the new file.
 */

/** A track with all that its tables say of its samples. */
export interface TableTrack {
  readonly track: Track;
  readonly samples: SampleTable;
  /** Duration of each sample, in ticks of the media. */
  readonly durations: Uint32Array;
  /** Composition offset of each sample; null when all are zero. */
  readonly delays: Int32Array | null;
  /** 1 for each sample that can be decoded without others; null when all can. */
  readonly isSync: Uint8Array | null;
}

/** Larger than any picture; what a sample really has is held against the file's size. */
const maxSampleBytes = 2 ** 31;

/**
 * Reads a track's tables.
 * @param fileSize bytes; null when unknown
 * @returns null when they describe no samples
 * @throws Failure `media_invalid`, also for samples that overlap
 */
export function readTableTrack(track: Track, fileSize: number | null): TableTrack | null {
  checkDescriptions(track);
  const { moov, stbl } = track;
  const samples = readSampleTable(moov, stbl, fileSize, maxSampleBytes);
  const { count } = samples;
  if (count === 0) return null;
  return {
    track,
    samples,
    durations: readDurations(moov, stbl, count),
    delays: readCompositionOffsets(moov, stbl, count),
    isSync: readSyncSamples(moov, stbl, count),
  };
}

/** Writes what the tables say of some samples, renumbered from the first, but where they lie. */
export function writeSampleTables(
  { track, samples, durations, delays, isSync }: TableTrack,
  first: number,
  end: number,
): Buffer[] {
  const sizes = samples.sizes.subarray(first, end);
  return [
    writeDescriptions(track),
    fullBox('stts', 0, runsOf(durations.subarray(first, end))),
    ...(delays === null ? [] : [writeDelays(delays.subarray(first, end))]),
    ...(isSync === null ? [] : [writeSyncSamples(isSync.subarray(first, end))]),
    fullBox('stsz', 0, u32(0, sizes.length), u32s(sizes)),
  ];
}

/** Version 1 has negative ones. */
const writeDelays = (delays: Int32Array): Buffer =>
  fullBox('ctts', delays.some((delay) => delay < 0) ? 0x01000000 : 0, runsOf(delays));

function writeSyncSamples(isSync: Uint8Array): Buffer {
  const numbers: number[] = [];
  isSync.forEach((sync, n) => {
    if (sync === 1) numbers.push(n + 1);
  });
  return fullBox('stss', 0, u32(numbers.length), u32s(numbers));
}

/** Entries of a count and a value. */
function runsOf(values: Uint32Array | Int32Array): Buffer {
  const runs: number[] = [];
  for (let n = 0; n < values.length; ) {
    const value = values[n] ?? 0;
    const start = n;
    while (n < values.length && values[n] === value) n += 1;
    runs.push(n - start, value);
  }
  return Buffer.concat([u32(runs.length / 2), u32s(runs)]);
}
