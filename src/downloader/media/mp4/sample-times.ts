import { type Box, child, invalid, requiredChild, table } from './boxes.ts';

/**
 * Duration of each sample (`stts`, ISO/IEC 14496-12, 8.6.1.2), in ticks of the media. As in players, samples that the
 * table forgets last as long as the last one that it describes.
 * @throws Failure `media_invalid` for a table that describes none
 */
export function readDurations(moov: Buffer, stbl: Box, count: number): Uint32Array {
  const stts = requiredChild(moov, stbl, 'stts');
  const entries = table(moov, stts, 8);
  const durations = new Uint32Array(count);
  const described = expand(moov, entries, count, (at, from, to) =>
    durations.fill(moov.readUInt32BE(at), from, to),
  );
  if (described === 0 && count > 0) throw invalid(`'stts' describes none of ${count} samples`);
  if (described < count) durations.fill(durations[described - 1] ?? 0, described);
  return durations;
}

/**
 * Composition offset of each sample (`ctts`, 8.6.1.3), in ticks of the media.
 * @returns null when all are zero
 * @throws Failure `media_invalid`
 */
export function readCompositionOffsets(moov: Buffer, stbl: Box, count: number): Int32Array | null {
  const ctts = child(moov, stbl, 'ctts');
  if (ctts === null) return null;
  const offsets = new Int32Array(count);
  // Version 0 says that it has no negative ones, and many writers put them there all the same.
  expand(moov, table(moov, ctts, 8), count, (at, from, to) => offsets.fill(moov.readInt32BE(at), from, to));
  return offsets;
}

/**
 * Sync samples (`stss`, 8.6.2): 1 for each sample that can be decoded without others. Numbers of samples that there are
 * not are ignored.
 * @returns null when all can
 * @throws Failure `media_invalid`
 */
export function readSyncSamples(moov: Buffer, stbl: Box, count: number): Uint8Array | null {
  const stss = child(moov, stbl, 'stss');
  if (stss === null) return null;
  const entries = table(moov, stss, 4);
  const isSync = new Uint8Array(count);
  for (let n = 0; n < entries.count; n++) {
    const sample = moov.readUInt32BE(entries.start + n * 4);
    if (sample > 0 && sample <= count) isSync[sample - 1] = 1;
  }
  return isSync;
}

/** Runs over entries of a count and a value; stops at the last sample. @returns the number of samples described */
function expand(
  moov: Buffer,
  entries: { readonly count: number; readonly start: number },
  count: number,
  fill: (valueAt: number, from: number, to: number) => void,
): number {
  let sample = 0;
  for (let n = 0; n < entries.count && sample < count; n++) {
    const at = entries.start + n * 8;
    const end = sample + moov.readUInt32BE(at);
    fill(at + 4, sample, Math.min(end, count));
    sample = end;
  }
  return sample;
}
