import { type Box, child, children, invalid, requiredChild, table } from './boxes.ts';
import { maxSamples } from './sample-table.ts';

/*
 * Fragments (ISO/IEC 14496-12, 8.8): a `moof` describes samples as `stbl` does, for the `mdat` after it alone.
 */

/** What holds for samples of which a fragment does not say it (`trex`, 8.8.3). */
export interface SampleDefaults {
  readonly description: number;
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

/** What a `moof` says of one track (`traf`). */
export interface TrackFragment {
  readonly trackId: number;
  /** Where the type of its `traf` stands in the bytes of the `moof`, where its track's id, and where an offset from the file's start; null without one. */
  readonly typeAt: number;
  readonly idAt: number;
  readonly baseAt: number | null;
  /** When its first sample is decoded, in ticks of the media; null when it does not say. */
  readonly time: number | null;
  /** Of all its samples, in ticks. */
  readonly duration: number;
  readonly runs: readonly SampleRun[];
}

/** Samples that follow one another in the file (`trun`). */
export interface SampleRun {
  /** Offset in the file. */
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** Bytes of its n-th sample. */
  sizeOf(n: number): number;
}

/** A `moof` as it stands in a file. */
export interface Fragment {
  /** Where `sequence_number` stands in its bytes. */
  readonly sequenceAt: number;
  readonly tracks: readonly TrackFragment[];
}

/** Entries that a run may have for each sample, with their flag, in their order. */
const sampleFields = { duration: 0x100, size: 0x200, flags: 0x400, compositionOffset: 0x800 };

/**
 * The defaults of a track. @param root the content of `moov`
 * @throws Failure `media_invalid` when there are none
 */
export function readSampleDefaults(
  moov: Buffer,
  root: { start: number; end: number },
  trackId: number,
): SampleDefaults {
  const mvex = requiredChild(moov, root, 'mvex');
  for (const { type, start, end } of children(moov, mvex.start, mvex.end)) {
    if (type !== 'trex') continue;
    if (end - start < 24) throw invalid(`'trex' cut off`);
    if (moov.readUInt32BE(start + 4) !== trackId) continue;
    const [description, duration, size, flags] = [8, 12, 16, 20].map((at) => moov.readUInt32BE(start + at));
    return { description: description ?? 0, duration: duration ?? 0, size: size ?? 0, flags: flags ?? 0 };
  }
  throw invalid(`no 'trex' of track ${trackId}`);
}

/**
 * Reads a fragment.
 * @param moof the whole box, header included
 * @param at its offset in the file
 * @param defaults by track; a track that is not named is not wanted, and only its place is read
 * @throws Failure `media_invalid`, also for samples that overlap
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
  // A track's data begin where those of the track before end, unless it says otherwise.
  let base: number | null = at;
  for (const traf of children(moof, root.start, root.end)) {
    if (traf.type !== 'traf') continue;
    const track = readTrackFragment(moof, traf, at, base, defaults);
    tracks.push(track);
    base = defaults.has(track.trackId) ? (track.runs.at(-1)?.end ?? base) : null;
  }
  return { sequenceAt: mfhd.start + 4, tracks };
}

function readTrackFragment(
  moof: Buffer,
  traf: Box,
  moofAt: number,
  before: number | null,
  defaults: ReadonlyMap<number, SampleDefaults>,
): TrackFragment {
  const tfhd = requiredChild(moof, traf, 'tfhd');
  const flags = flagsOf(moof, tfhd);
  const fields = fieldsAfter(moof, tfhd, 8, flags);
  const trackId = tfhd.start + 8 <= tfhd.end ? moof.readUInt32BE(tfhd.start + 4) : 0;
  const baseAt = fields(0x1, 8);
  const general = defaults.get(trackId);
  fields(0x2, 4);
  const [durationAt, sizeAt] = [fields(0x8, 4), fields(0x10, 4)];
  const isFromMoof = (flags & 0x20000) !== 0;
  const place = {
    trackId,
    typeAt: typeAt(moof, traf),
    idAt: tfhd.start + 4,
    baseAt,
    time: readTime(moof, traf),
  };
  if (general === undefined) return { ...place, duration: 0, runs: [] };

  const usual = {
    duration: durationAt === null ? general.duration : moof.readUInt32BE(durationAt),
    size: sizeAt === null ? general.size : moof.readUInt32BE(sizeAt),
  };
  const base = baseAt !== null ? position(moof.readBigUInt64BE(baseAt)) : isFromMoof ? moofAt : before;
  if (base === null) throw invalid(`where track ${trackId} lies depends on another one`);
  const runs: SampleRun[] = [];
  let duration = 0;
  let [end, samples] = [base, 0];
  for (const box of children(moof, traf.start, traf.end)) {
    if (box.type !== 'trun') continue;
    const run = readRun(moof, box, { base, after: end, ...usual });
    if (runs.length > 0 && run.start < end) throw invalid('samples that overlap');
    samples += run.count;
    if (samples > maxSamples) throw invalid(`a fragment of ${samples} samples`);
    runs.push(run);
    duration += run.duration;
    end = run.end;
  }
  return { ...place, duration, runs };
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
  let end = start;
  let ticks = durationAt === null ? duration * count : 0;
  for (let n = 0; n < count; n++) {
    const bytes = sizeOf(n);
    if (bytes === 0) throw invalid(`sample ${n} of 0 bytes`);
    end += bytes;
    if (durationAt !== null) ticks += moof.readUInt32BE(durationAt + n * entryBytes);
  }
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

/** Fields of a box that are there only with their flag, asked for in their order: where each lies, or null. */
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

/** Where a box's type stands: before a size of 64 bits, if it has one. */
function typeAt(bytes: Buffer, { type, start }: Box): number {
  return bytes.toString('latin1', start - 4, start) === type ? start - 4 : start - 12;
}

function position(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(`a place or time of ${value}`);
  return Number(value);
}
