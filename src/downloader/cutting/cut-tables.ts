import { copyTables } from '../joining/layouts/movie-head.ts';
import { readTableTrack } from '../joining/layouts/progressive.ts';
import type { SampleTable } from '../media/mp4/sample-table.ts';
import { readCompositionOffsets, readSyncSamples } from '../media/mp4/sample-times.ts';
import type { Track } from '../media/mp4/track.ts';
import { fullBox, u32, u32s } from '../media/mp4/write-boxes.ts';
import type { SampleRange, TimedTrack } from './choose-samples.ts';

/** A track of an original that can be cut. */
export interface CuttableTrack extends TimedTrack {
  readonly track: Track;
  readonly samples: SampleTable;
}

/**
 * Reads all tables of a track.
 * @param fileSize bytes; null when unknown
 * @returns null when they describe no samples
 * @throws Failure `media_invalid`
 */
export function readCuttableTrack(track: Track, fileSize: number | null): CuttableTrack | null {
  const table = readTableTrack(track, fileSize);
  if (table === null) return null;
  const { count } = table.samples;
  return {
    ...table,
    delays: readCompositionOffsets(track.moov, track.stbl, count),
    isSync: readSyncSamples(track.moov, track.stbl, count),
  };
}

/** Writes the sample tables for the selected samples, renumbered from the first. */
export function writeSampleTables(
  { track, samples, durations, delays, isSync }: CuttableTrack,
  { first, end }: SampleRange,
): Buffer[] {
  const sizes = samples.sizes.subarray(first, end);
  return [
    ...copyTables(track, new Set(['stsd'])),
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
