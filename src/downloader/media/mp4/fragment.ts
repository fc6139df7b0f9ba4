import { type Box, child, children, invalid, requiredChild, table } from './boxes.ts';
import { maxSamples } from './sample-table.ts';

/*
 * Fragments (ISO/IEC 14496-12, 8.8): a `moof` describes samples as `stbl` does, but only those of the `mdat` after it.
 */

/** Defaults for samples whose fragment does not state them (`trex`, 8.8.3). */
export interface SampleDefaults {
  readonly description: number;
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

/** The description of one track in a `moof` (`traf`). */
interface TrackFragment {
  readonly trackId: number;
  /**
   * Positions in the bytes of the `moof`: the type of its `traf`, its track's id, and an offset from the file's start;
   * null without one.
   */
  readonly typeAt: number;
  readonly idAt: number;
  readonly baseAt: number | null;
  /** Whether its offsets count from where the track before it ends. */
  readonly isChained: boolean;
  /** When its first sample is decoded, in ticks of the media; null when it does not say. */
  readonly time: number | null;
  /** Duration of all its samples, in ticks. */
  readonly duration: number;
  /** End of its samples in the file. */
  readonly end: number;
  readonly runs: readonly SampleRun[];
}

/** Samples that follow one another in the file (`trun`). */
interface SampleRun {
  /** Offset in the file. */
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** Bytes of its n-th sample. */
  sizeOf(n: number): number;
}

/** A `moof` and its position in a file. */
export interface Fragment {
  /** Position of `sequence_number` in its bytes. */
  readonly sequenceAt: number;
  readonly tracks: readonly TrackFragment[];
}

/** A `moof` of a fragment of a minute takes 100 kB. */
export const maxFragmentBytes = 4 * 1024 * 1024;
/** Six hours of fragments of less than a second. */
export const maxFragments = 32_768;

/** Entries that a run may have for each sample, with their flag, in their order. */
const sampleFields = { duration: 0x100, size: 0x200, flags: 0x400, compositionOffset: 0x800 };

/**
 * The defaults of each fragmented track, by its id.
 * @param root the content of `moov`
 * @throws Failure `media_invalid`
 */
export function readSampleDefaults(
  moov: Buffer,
  root: { start: number; end: number },
): Map<number, SampleDefaults> {
  const mvex = requiredChild(moov, root, 'mvex');
  const defaults = new Map<number, SampleDefaults>();
  for (const { type, start, end } of children(moov, mvex.start, mvex.end)) {
    if (type !== 'trex') continue;
    if (end - start < 24) throw invalid(`'trex' cut off`);
    defaults.set(moov.readUInt32BE(start + 4), {
      description: moov.readUInt32BE(start + 8),
      duration: moov.readUInt32BE(start + 12),
      size: moov.readUInt32BE(start + 16),
      flags: moov.readUInt32BE(start + 20),
    });
  }
  return defaults;
}

/**
 * Reads a fragment.
 * @param moof the whole box, header included
 * @param at its offset in the file
 * @param defaults of all tracks
 * @throws Failure `media_invalid`, also for samples of one track that overlap
 */
export function readFragment(
  moof: Buffer,
  headerLength: number,
  at: number,
  defaults: ReadonlyMap<number, SampleDefaults>,
): Fragment {
  const root = { start: headerLength, end: moof.length };
  const mfhd = requiredChild(moof, root, 'mfhd');
  if (mfhd.end - mfhd.start < 8) throw invalid(`'mfhd' cut off`);
  const tracks: TrackFragment[] = [];
  for (const traf of children(moof, root.start, root.end)) {
    if (traf.type !== 'traf') continue;
    tracks.push(readTrackFragment(moof, traf, at, tracks.at(-1)?.end ?? null, defaults));
  }
  checkRuns(tracks);
  return { sequenceAt: mfhd.start + 4, tracks };
}

/**
 * A run without entries claims samples for nothing, and two may claim the same: what a fragment describes is bounded as
 * a whole.
 */
function checkRuns(tracks: readonly TrackFragment[]): void {
  const runs = tracks.flatMap(({ trackId, runs }) =>
    runs.map(({ start, end, count }) => ({ trackId, start, end, count })),
  );
  const samples = runs.reduce((sum, { count }) => sum + count, 0);
  if (samples > maxSamples) throw invalid(`a fragment of ${samples} samples`);
  runs.sort((one, other) => one.trackId - other.trackId || one.start - other.start);
  for (const [n, { trackId, start }] of runs.entries()) {
    const before = runs[n - 1];
    if (before?.trackId === trackId && start < before.end) throw invalid('samples that overlap');
  }
}

function readTrackFragment(
  moof: Buffer,
  traf: Box,
  moofAt: number,
  endBefore: number | null,
  defaults: ReadonlyMap<number, SampleDefaults>,
): TrackFragment {
  const tfhd = requiredChild(moof, traf, 'tfhd');
  const flags = flagsOf(moof, tfhd);
  const fields = fieldsAfter(moof, tfhd, 8, flags);
  const trackId = tfhd.start + 8 <= tfhd.end ? moof.readUInt32BE(tfhd.start + 4) : 0;
  const baseAt = fields(0x1, 8);
  fields(0x2, 4);
  const [durationAt, sizeAt] = [fields(0x8, 4), fields(0x10, 4)];
  const general = defaults.get(trackId);
  if (general === undefined) throw invalid(`a fragment of track ${trackId}, which there is not`);
  const usual = {
    duration: durationAt === null ? general.duration : moof.readUInt32BE(durationAt),
    size: sizeAt === null ? general.size : moof.readUInt32BE(sizeAt),
  };
  // default-base-is-moof
  const isFromMoof = (flags & 0x20000) !== 0;
  const isChained = baseAt === null && !isFromMoof && endBefore !== null;
  const implied = isChained ? (endBefore ?? moofAt) : moofAt;
  const base = baseAt === null ? implied : position(moof.readBigUInt64BE(baseAt));
  const runs: SampleRun[] = [];
  let duration = 0;
  let end = base;
  for (const box of children(moof, traf.start, traf.end)) {
    if (box.type !== 'trun') continue;
    const run = readRun(moof, box, { base, after: end, ...usual });
    runs.push(run);
    duration += run.duration;
    end = run.end;
  }
  const places = { typeAt: typeAt(moof, traf), idAt: tfhd.start + 4, baseAt };
  return { trackId, ...places, isChained, time: readTime(moof, traf), duration, end, runs };
}

/** ISO/IEC 14496-12, 8.8.8 */
function readRun(
  moof: Buffer,
  box: Box,
  { base, after, duration, size }: { base: number; after: number; duration: number; size: number },
): SampleRun & { readonly duration: number } {
  const flags = flagsOf(moof, box);
  if (box.end - box.start < 8) throw invalid(`'trun' cut off`);
  const fields = fieldsAfter(moof, box, 8, flags);
  const offsetAt = fields(0x1, 4);
  const firstFlagsAt = fields(0x4, 4);
  const entryBytes = 4 * Object.values(sampleFields).filter((flag) => flags & flag).length;
  const header = 4 + (offsetAt === null ? 0 : 4) + (firstFlagsAt === null ? 0 : 4);
  const { count } = table(moof, box, 0);
  if (count > maxSamples) throw invalid(`a run of ${count} samples`);
  const entries = box.start + 4 + header;
  if (entries + count * entryBytes > box.end) throw invalid(`'trun' claims ${count} samples`);
  const start = offsetAt === null ? after : base + moof.readInt32BE(offsetAt);
  if (start < 0) throw invalid(`samples at ${start}`);

  const durationAt = (flags & sampleFields.duration) !== 0 ? entries : null;
  const sizeAt = (flags & sampleFields.size) !== 0 ? entries + (durationAt === null ? 0 : 4) : null;
  const sizeOf = (n: number) => (sizeAt === null ? size : moof.readUInt32BE(sizeAt + n * entryBytes));
  if (sizeAt === null && size === 0 && count > 0) throw invalid(`${count} samples of 0 bytes`);
  let end = start + (sizeAt === null ? size * count : 0);
  // Entries are read, of which there are as many as bytes for them; a count alone is no reason to loop.
  for (let n = 0; sizeAt !== null && n < count; n++) {
    const bytes = sizeOf(n);
    if (bytes === 0) throw invalid(`sample ${n} of 0 bytes`);
    end += bytes;
  }
  let ticks = durationAt === null ? duration * count : 0;
  for (let n = 0; durationAt !== null && n < count; n++)
    ticks += moof.readUInt32BE(durationAt + n * entryBytes);
  return { start, end, count, sizeOf, duration: ticks };
}

/** `tfdt`, 8.8.12 */
function readTime(moof: Buffer, traf: Box): number | null {
  const tfdt = child(moof, traf, 'tfdt');
  if (tfdt === null) return null;
  const isLong = (moof[tfdt.start] ?? 0) === 1;
  if (tfdt.end - tfdt.start < (isLong ? 12 : 8)) throw invalid(`'tfdt' cut off`);
  return isLong ? position(moof.readBigUInt64BE(tfdt.start + 4)) : moof.readUInt32BE(tfdt.start + 4);
}

function flagsOf(bytes: Buffer, { type, start, end }: Box): number {
  if (end - start < 8) throw invalid(`'${type}' cut off`);
  return bytes.readUInt32BE(start) & 0xffffff;
}

/** Optional fields of a box, each present with its flag, requested in order: the position of each, or null. */
function fieldsAfter(
  bytes: Buffer,
  { type, start, end }: Box,
  from: number,
  flags: number,
): (flag: number, length: number) => number | null {
  let at = start + from;
  return (flag, length) => {
    if ((flags & flag) === 0) return null;
    at += length;
    if (at > end || at > bytes.length) throw invalid(`'${type}' cut off`);
    return at - length;
  };
}

/** Position of a box's type: before a 64-bit size, if it has one. */
function typeAt(bytes: Buffer, { type, start }: Box): number {
  return bytes.toString('latin1', start - 4, start) === type ? start - 4 : start - 12;
}

function position(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(`a place or time of ${value}`);
  return Number(value);
}
