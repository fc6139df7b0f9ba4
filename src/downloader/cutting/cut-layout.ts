import {
  type Chunk,
  type ChunkOffsets,
  chunksOf,
  inFileOrder,
  interleave,
  spansWithin,
  writeChunks,
  writeTableHead,
} from '../joining/layouts/chunks.ts';
import type { Part, Piece, Span } from '../joining/layouts/layout.ts';
import type { JoinedTrack } from '../joining/layouts/movie-head.ts';
import { type TableTrack, writeSampleTables } from '../joining/layouts/sample-tables.ts';
import { invalid } from '../media/mp4/boxes.ts';
import type { MediaTags } from '../media/tags.ts';
import { cutTimescale, type SampleRange, type TrackRanges } from './choose-samples.ts';

/** The tracks of a cut: picture and sound, in one file or in one file each. */
export interface CutTracks {
  readonly picture: TableTrack;
  /** Null for a video without sound. */
  readonly sound: TableTrack | null;
  /** Whether the sound is in a separate file. */
  readonly isSoundApart: boolean;
}

/** A cut as it is known before its first byte. */
export interface CutLayout {
  /** Everything before the first sample. */
  readonly head: Buffer;
  /** Bytes of the whole cut. */
  readonly size: number;
  readonly pieces: readonly Piece[];
  /** The spans of an original that give the bytes from `start` to `end` of the cut, in order. */
  spansOf(part: Part, start: number, end: number): Span[];
}

/**
 * Computes the layout of the cut: `ftyp`, `moov`, and an `mdat` with the selected samples only. Samples of one file
 * keep their order in it, so that it is read front to back; samples of two files are interleaved every second.
 * @throws Failure `media_invalid` for samples that share bytes or are scattered over their file
 */
export function layOutCut(
  { picture, sound, isSoundApart }: CutTracks,
  kept: TrackRanges,
  tags?: MediaTags,
): CutLayout {
  const line = (table: TableTrack, range: SampleRange, part: Part) => ({
    ...{ table, range },
    chunks: chunksOf(table, range, part),
  });
  const seen = line(picture, kept.picture, 'picture');
  const heard =
    sound === null || kept.sound === null
      ? null
      : line(sound, kept.sound, isSoundApart ? 'sound' : 'picture');
  const lines = heard === null ? [seen] : [seen, heard];
  const chunks = isSoundApart
    ? interleave(seen.chunks, heard?.chunks ?? [])
    : inOneFile(lines.flatMap((one) => one.chunks));
  const tracksAt = (offsets: ChunkOffsets) =>
    lines.map(({ table, range, chunks: own }, n) =>
      cutTrack(table, range, n + 1, [
        ...writeSampleTables(table, range.first, range.end),
        ...writeChunks(own, offsets),
      ]),
    );
  const head = writeTableHead(chunks, tracksAt, tags);
  return {
    head,
    size: chunks.reduce((sum, { start, end }) => sum + end - start, head.length),
    pieces: [{ bytes: head }, ...chunks],
    spansOf: (part, start, end) => joinNear(spansWithin(chunks, head.length, part, { start, end })),
  };
}

/** Files are read from front to back: a byte that two samples claim could not be given twice. */
function inOneFile(chunks: readonly Chunk[]): Chunk[] {
  const ordered = inFileOrder(chunks);
  for (const [n, { start }] of ordered.entries())
    if (start < (ordered[n - 1]?.end ?? 0)) throw invalid(`two samples have byte ${start}`);
  return ordered;
}

function cutTrack(
  { track }: TableTrack,
  { edits, duration }: SampleRange,
  id: number,
  tables: readonly Buffer[],
): JoinedTrack {
  return { track: { ...track, edits, movieTimescale: cutTimescale }, id, mediaDuration: duration, tables };
}

/** Largest share of fetched bytes that may lie between selected samples. */
const gapShare = 0.1;
/** A request more would cost a server more than any gap. */
const maxSpans = 32;

/** Joins over the smallest gaps. */
function joinNear(spans: readonly { readonly start: number; readonly end: number }[]): Span[] {
  let allowance = gapShare * spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const gaps = spans.slice(1).map(({ start }, n) => ({ at: n + 1, bytes: start - (spans[n]?.end ?? 0) }));
  gaps.sort((one, other) => one.bytes - other.bytes);
  const joined = new Set<number>();
  for (const { at, bytes: wasted } of gaps) {
    if (wasted > allowance && spans.length - joined.size <= maxSpans) break;
    allowance -= wasted;
    joined.add(at);
  }
  const all: { start: number; end: number }[] = [];
  spans.forEach((span, n) => {
    const last = all.at(-1);
    if (last !== undefined && joined.has(n)) last.end = span.end;
    else all.push({ ...span });
  });
  return all;
}
