import { type JoinedTrack, writeFileType, writeMovie } from '../joining/layouts/movie-head.ts';
import { writeChunkOffsets, writeChunkRuns } from '../joining/layouts/progressive.ts';
import type { Part, PartPiece, Piece, Span } from '../joining/pieces.ts';
import { invalid } from '../media/mp4/boxes.ts';
import { bytes, u32, u64 } from '../media/mp4/write-boxes.ts';
import { cutTimescale, type SampleRange, type TrackRanges } from './choose-samples.ts';
import { type CuttableTrack, writeSampleTables } from './cut-tables.ts';

/** The tracks of a cut: picture and sound, in one file or in one file each. */
export interface CutTracks {
  readonly picture: CuttableTrack;
  /** Null for a video without sound. */
  readonly sound: CuttableTrack | null;
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

type TrackName = 'picture' | 'sound';

/** Samples of one track that follow one another in their file. */
interface Chunk extends PartPiece {
  readonly of: TrackName;
  readonly samples: number;
  /** Second of the cut in which it is decoded. */
  readonly second: number;
}

/** More than a day of a file that interleaves every second. */
const maxChunks = 100_000;

/**
 * Computes the layout of the cut: `ftyp`, `moov`, and an `mdat` with the selected samples only. Samples of one file
 * keep their order, so that it is read front to back; samples of two files are interleaved every second.
 * @throws Failure `media_invalid` for samples that share bytes or are scattered over their file
 */
export function layOutCut(tracks: CutTracks, kept: TrackRanges): CutLayout {
  const picture = chunksOf(tracks.picture, kept.picture, 'picture', 'picture');
  const sound =
    tracks.sound === null || kept.sound === null
      ? []
      : chunksOf(tracks.sound, kept.sound, 'sound', tracks.isSoundApart ? 'sound' : 'picture');
  const isBefore = tracks.isSoundApart
    ? (one: Chunk, other: Chunk) => one.second <= other.second
    : (one: Chunk, other: Chunk) => one.start <= other.start;
  const chunks = merge(picture, sound, isBefore);
  checkOrder(chunks);
  const head = writeHead(tracks, kept, chunks);
  return {
    head,
    size: chunks.reduce((sum, { start, end }) => sum + end - start, head.length),
    pieces: [{ bytes: head }, ...chunks],
    spansOf: (part, start, end) => spansOf(chunks, head.length, part, start, end),
  };
}

function chunksOf(
  { track, samples: { offsets, sizes }, durations }: CuttableTrack,
  { first, end }: SampleRange,
  of: TrackName,
  part: Part,
): Chunk[] {
  const chunks: Chunk[] = [];
  let time = 0;
  for (let n = first; n < end; ) {
    if (chunks.length === maxChunks) throw invalid(`samples in more than ${maxChunks} pieces`);
    const second = Math.floor(time / track.timescale);
    const start = offsets[n] ?? 0;
    const from = n;
    let until = start;
    do {
      until += sizes[n] ?? 0;
      time += durations[n] ?? 0;
      n += 1;
    } while (n < end && offsets[n] === until && time < (second + 1) * track.timescale);
    chunks.push({ of, part, start, end: until, samples: n - from, second });
  }
  return chunks;
}

function merge(
  picture: readonly Chunk[],
  sound: readonly Chunk[],
  isBefore: (one: Chunk, other: Chunk) => boolean,
): Chunk[] {
  const chunks: Chunk[] = [];
  let heard = 0;
  for (const chunk of picture) {
    for (let next = sound[heard]; next !== undefined && !isBefore(chunk, next); next = sound[heard]) {
      chunks.push(next);
      heard += 1;
    }
    chunks.push(chunk);
  }
  return [...chunks, ...sound.slice(heard)];
}

/** Files are read from front to back: a byte that two samples claim could not be given twice. */
function checkOrder(chunks: readonly Chunk[]): void {
  const readTo = { picture: 0, sound: 0 };
  for (const { part, start, end } of chunks) {
    if (start < readTo[part]) throw invalid(`two samples have byte ${start}`);
    readTo[part] = end;
  }
}

function writeHead({ picture, sound }: CutTracks, kept: TrackRanges, chunks: readonly Chunk[]): Buffer {
  const mediaBytes = chunks.reduce((sum, { start, end }) => sum + end - start, 0);
  const fileType = writeFileType(false);
  const movie = (mediaAt: number, isLarge: boolean) => {
    const write = (name: TrackName, track: CuttableTrack, samples: SampleRange, id: number) =>
      cutTrack(track, samples, id, [
        ...writeSampleTables(track, samples),
        ...placesOf(chunks, name, mediaAt, isLarge),
      ]);
    return writeMovie([
      write('picture', picture, kept.picture, 1),
      ...(sound === null || kept.sound === null ? [] : [write('sound', sound, kept.sound, 2)]),
    ]);
  };
  const small = movie(0, false).length;
  const isLarge = fileType.length + small + mediaBytes > 0xffffff00;
  const mdat = isLarge
    ? Buffer.concat([u32(1), bytes('mdat'), u64(mediaBytes + 16)])
    : Buffer.concat([u32(mediaBytes + 8), bytes('mdat')]);
  const moovBytes = isLarge ? movie(0, true).length : small;
  return Buffer.concat([fileType, movie(fileType.length + moovBytes + mdat.length, isLarge), mdat]);
}

function cutTrack(
  { track }: CuttableTrack,
  { edits, duration }: SampleRange,
  id: number,
  tables: readonly Buffer[],
): JoinedTrack {
  return { track: { ...track, edits, movieTimescale: cutTimescale }, id, mediaDuration: duration, tables };
}

function placesOf(chunks: readonly Chunk[], name: TrackName, mediaAt: number, isLarge: boolean): Buffer[] {
  const offsets: number[] = [];
  const counts: number[] = [];
  let at = mediaAt;
  for (const { of, start, end, samples } of chunks) {
    if (of === name) {
      offsets.push(at);
      counts.push(samples);
    }
    at += end - start;
  }
  return [writeChunkRuns(counts), writeChunkOffsets(offsets, isLarge)];
}

/** Largest share of fetched bytes that may lie between selected samples. */
const gapShare = 0.1;
/** A request more would cost a server more than any gap. */
const maxSpans = 32;

function spansOf(chunks: readonly Chunk[], mediaAt: number, part: Part, start: number, end: number): Span[] {
  const spans: { start: number; end: number }[] = [];
  let at = mediaAt;
  for (const chunk of chunks) {
    const next = at + chunk.end - chunk.start;
    if (chunk.part === part && next > start && at < end) {
      const first = chunk.start + Math.max(0, start - at);
      const last = chunk.end - Math.max(0, next - end);
      const before = spans.at(-1);
      if (before !== undefined && before.end === first) before.end = last;
      else spans.push({ start: first, end: last });
    }
    at = next;
  }
  return joinNear(spans);
}

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
