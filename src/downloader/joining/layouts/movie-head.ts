import { type Box, children, invalid } from '../../media/mp4/boxes.ts';
import { type Track, trackHeader } from '../../media/mp4/track.ts';
import { box, bytes, fullBox, u16, u32, u64 } from '../../media/mp4/write-boxes.ts';
import { type MediaTags, writeTags } from '../../media/tags.ts';

/**
 * Ticks per second of the joined movie. Originals count in milliseconds or in their media's own units; these ticks are
 * fine enough to make rounding imperceptible.
 */
export const movieTimescale = 90_000;
/** Longest duration that 32 bits hold; more is "unknown". */
const maxU32 = 0xffffffff;

/** One of the two tracks of a joined file. */
export interface JoinedTrack {
  readonly track: Track;
  /** Its `track_ID` in the joined file. */
  readonly id: number;
  /** Duration of its media in ticks; null in a fragmented file, whose tables describe no samples. */
  readonly mediaDuration: number | null;
  /** The content of its `stbl`. */
  readonly tables: readonly Buffer[];
}

/**
 * The first box of a joined file. Some players refuse a file without `isom` and the brands of the features used
 * (ISO/IEC 14496-12, annex E).
 */
export function writeFileType(isFragmented: boolean): Buffer {
  const brands = isFragmented ? 'isomiso5iso6mp41' : 'isomiso2iso4mp41';
  return box('ftyp', bytes('isom'), u32(0x200), bytes(brands));
}

/** The tables of a joined file. @param mvex of a file of fragments */
export function writeMovie(tracks: readonly JoinedTrack[], tags?: MediaTags, mvex?: Buffer): Buffer {
  const more = [...(mvex === undefined ? [] : [mvex]), ...(tags === undefined ? [] : [writeTags(tags)])];
  const durations = tracks.map(movieDuration);
  const traks = tracks.map((track, n) => writeTrack(track, durations[n] ?? 0));
  return box('moov', writeMovieHeader(Math.max(...durations)), ...traks, ...more);
}

/**
 * Copies the boxes of an `stbl` that do not depend on the file's layout: they refer to samples by number.
 * @param wanted their types
 */
export function copyTables({ moov, stbl }: Track, wanted: ReadonlySet<string>): Buffer[] {
  return [...children(moov, stbl.start, stbl.end)]
    .filter(({ type }) => wanted.has(type))
    .map((one) => copy(moov, one));
}

/** How long the track is shown, from its edit list if it has one. In ticks of the joined movie. */
function movieDuration({ track, mediaDuration }: JoinedTrack): number {
  const edited = track.edits.reduce((sum, { duration }) => sum + duration, 0);
  return edited > 0 ? rescale(edited, track.movieTimescale) : rescale(mediaDuration ?? 0, track.timescale);
}

/** Rounded up, so that nothing is cut. */
function rescale(ticks: number, timescale: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil((ticks * movieTimescale) / timescale));
}

function writeMovieHeader(duration: number): Buffer {
  const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const times = u32(0, 0, movieTimescale, Math.min(duration, maxU32));
  return fullBox('mvhd', 0, times, u32(0x10000), u16(0x100, 0), u32(0, 0), matrix, Buffer.alloc(24), u32(3));
}

function writeTrack(joined: JoinedTrack, duration: number): Buffer {
  const { track, tables, mediaDuration } = joined;
  const { moov, mdia, minf } = track;
  const information = box(
    'minf',
    ...copies(moov, minf, new Set(['vmhd', 'smhd'])),
    box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
    box('stbl', ...tables),
  );
  const media = box(
    'mdia',
    withDuration(track, mediaDuration ?? 0),
    ...copies(moov, mdia, new Set(['hdlr', 'elng'])),
    information,
  );
  return box('trak', trackHeaderOf(joined, duration), ...writeEdits(track), media);
}

function copies(moov: Buffer, parent: Box, types: ReadonlySet<string>): Buffer[] {
  return [...children(moov, parent.start, parent.end)]
    .filter(({ type }) => types.has(type))
    .map((one) => copy(moov, one));
}

function copy(moov: Buffer, { type, start, end }: Box): Buffer {
  return box(type, moov.subarray(start, end));
}

/** The original's matrix rotates the picture, its width and height scale it. */
function trackHeaderOf({ track: { moov, tkhd }, id }: JoinedTrack, duration: number): Buffer {
  const copied = copy(moov, tkhd);
  const content = copied.subarray(8);
  const { isLong, idAt, durationAt, groupAt } = trackHeader(content, { start: 0, end: content.length });
  // Enabled, and part of what is shown.
  content.writeUInt8(content.readUInt8(3) | 3, 3);
  content.writeUInt32BE(id, idAt);
  if (isLong) content.writeBigUInt64BE(BigInt(duration), durationAt);
  else content.writeUInt32BE(Math.min(duration, maxU32), durationAt);
  // Tracks of one group are alternatives; in separate files both may have had the same group.
  content.writeUInt16BE(0, groupAt);
  return copied;
}

function withDuration({ moov, mdhd }: Track, duration: number): Buffer {
  const copied = copy(moov, mdhd);
  const isLong = copied.readUInt8(8) === 1;
  if (copied.length < (isLong ? 40 : 28)) throw invalid(`'mdhd' cut off`);
  if (isLong) copied.writeBigUInt64BE(BigInt(duration), 32);
  else copied.writeUInt32BE(Math.min(duration, maxU32), 24);
  return copied;
}

function writeEdits({ edits, movieTimescale: timescale }: Track): Buffer[] {
  if (edits.length === 0) return [];
  const scaled = edits.map((edit) => ({ ...edit, duration: rescale(edit.duration, timescale) }));
  const isLong = scaled.some(({ duration, mediaTime }) => duration > maxU32 || mediaTime > 0x7fffffff);
  const entries = scaled.map(({ duration, mediaTime, rate }) =>
    isLong ? Buffer.concat([u64(duration), u64(mediaTime), u32(rate)]) : u32(duration, mediaTime, rate),
  );
  return [box('edts', fullBox('elst', isLong ? 0x01000000 : 0, u32(edits.length), ...entries))];
}
