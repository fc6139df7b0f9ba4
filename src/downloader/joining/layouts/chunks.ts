import { invalid } from '../../media/mp4/boxes.ts';
import { bytes, fullBox, u32, u32s, u64 } from '../../media/mp4/write-boxes.ts';
import type { MediaTags } from '../../media/tags.ts';
import type { Part, PartPiece } from './layout.ts';
import { type JoinedTrack, writeFileType, writeMovie } from './movie-head.ts';
import type { TableTrack } from './sample-tables.ts';

/**
 * Samples of one track and one description that follow one another in the original and in the new file: a chunk of its
 * tables.
 */
export interface Chunk extends PartPiece {
  readonly samples: number;
  /** Number of their description, from 1. */
  readonly description: number;
  /** The second of the new file in which it is decoded. */
  readonly second: number;
}

/** More than a day of a file that interleaves every second. */
const maxChunks = 100_000;

/**
 * The chunks of some samples, in decoding order; none is longer than a second.
 * @throws Failure `media_invalid` for samples that are scattered all over their file
 */
export function chunksOf(
  { track, samples: { offsets, sizes, descriptions }, durations }: TableTrack,
  { first, end }: { readonly first: number; readonly end: number },
  part: Part,
): Chunk[] {
  const chunks: Chunk[] = [];
  let time = 0;
  for (let n = first; n < end; ) {
    if (chunks.length === maxChunks) throw invalid(`samples in more than ${maxChunks} pieces`);
    const second = Math.floor(time / track.timescale);
    const start = offsets[n] ?? 0;
    const from = n;
    const description = descriptions?.[n] ?? 1;
    let until = start;
    do {
      until += sizes[n] ?? 0;
      time += durations[n] ?? 0;
      n += 1;
    } while (
      n < end &&
      offsets[n] === until &&
      time < (second + 1) * track.timescale &&
      (descriptions?.[n] ?? 1) === description
    );
    chunks.push({ part, start, end: until, samples: n - from, description, second });
  }
  return chunks;
}

/** Chunks in the order of their file, which is read from front to back. */
export function inFileOrder(chunks: readonly Chunk[]): Chunk[] {
  return chunks.toSorted((one, other) => one.start - other.start);
}

/** Puts the picture of each second before its sound; each file keeps its order. */
export function interleave(picture: readonly Chunk[], sound: readonly Chunk[]): Chunk[] {
  const chunks: Chunk[] = [];
  const heard = inFileOrder(sound);
  let next = 0;
  for (const chunk of inFileOrder(picture)) {
    for (let one = heard[next]; one !== undefined && one.second < chunk.second; one = heard[next]) {
      chunks.push(one);
      next += 1;
    }
    chunks.push(chunk);
  }
  return [...chunks, ...heard.slice(next)];
}

/**
 * The spans of an original that give some bytes of the new file, in its order; chunks that follow one another are one.
 * @param mediaAt position of the first chunk in the new file
 */
export function spansWithin(
  chunks: readonly Chunk[],
  mediaAt: number,
  part: Part,
  { start, end }: { readonly start: number; readonly end: number },
): { start: number; end: number }[] {
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
  return spans;
}

/**
 * Writes everything before the first sample: `ftyp`, `moov` and the header of `mdat`.
 * @param placed all chunks, as they follow one another in `mdat`
 * @param tracksAt the tracks, where each chunk has such an offset in the file
 * @param tags of the file, if it has any
 */
export function writeTableHead(
  placed: readonly Chunk[],
  tracksAt: (offsets: ChunkOffsets) => readonly JoinedTrack[],
  tags?: MediaTags,
): Buffer {
  const mediaBytes = placed.reduce((sum, { start, end }) => sum + end - start, 0);
  const fileType = writeFileType(false);
  const movie = (mediaAt: number, isLarge: boolean) => {
    const at = new Map<Chunk, number>();
    let next = mediaAt;
    for (const chunk of placed) {
      at.set(chunk, next);
      next += chunk.end - chunk.start;
    }
    return writeMovie(tracksAt({ at, isLarge }), tags);
  };
  const small = movie(0, false).length;
  const isLarge = fileType.length + small + mediaBytes > 0xffffff00;
  const mdat = isLarge
    ? Buffer.concat([u32(1), bytes('mdat'), u64(mediaBytes + 16)])
    : Buffer.concat([u32(mediaBytes + 8), bytes('mdat')]);
  const moovBytes = isLarge ? movie(0, true).length : small;
  return Buffer.concat([fileType, movie(fileType.length + moovBytes + mdat.length, isLarge), mdat]);
}

/** Where the chunks of a new file lie. */
export interface ChunkOffsets {
  readonly at: ReadonlyMap<Chunk, number>;
  /** Whether they need 64 bits. */
  readonly isLarge: boolean;
}

/** Writes where a track's samples lie (`stsc`, and `stco` or `co64`). @param chunks its own, in decoding order */
export function writeChunks(chunks: readonly Chunk[], { at, isLarge }: ChunkOffsets): Buffer[] {
  const runs: number[] = [];
  for (const [n, { samples, description }] of chunks.entries()) {
    if (samples !== runs.at(-2) || description !== runs.at(-1)) runs.push(n + 1, samples, description);
  }
  const offsets = chunks.map((chunk) => at.get(chunk) ?? 0);
  return [
    fullBox('stsc', 0, u32(runs.length / 3), u32s(runs)),
    isLarge
      ? fullBox('co64', 0, u32(offsets.length), Buffer.concat(offsets.map(u64)))
      : fullBox('stco', 0, u32(offsets.length), u32s(offsets)),
  ];
}
