import { invalid } from '../../media/mp4/boxes.ts';
import { readSampleTable, type SampleTable } from '../../media/mp4/sample-table.ts';
import { readDurations } from '../../media/mp4/sample-times.ts';
import type { Track } from '../../media/mp4/track.ts';
import { bytes, fullBox, u32, u32s, u64 } from '../../media/mp4/write-boxes.ts';
import type { Part, PartPiece } from '../pieces.ts';
import type { Layout } from './layout.ts';
import { checkDescriptions, copyTables, type JoinedTrack, writeFileType, writeMovie } from './movie-head.ts';

/*
 * Two files whose samples are described by tables (`stbl`), as one file of the same kind: `ftyp`, `moov`, and an `mdat`
 * in which a second of the picture and a second of the sound take turns. The samples' own tables are taken
 * over; where each chunk lies is reckoned anew. So every byte of the joined file is known before the first is sent.
 */

/** Seconds of one track before the other's turn. */
const turnS = 1;
/** More than a day of turns. */
const maxChunks = 100_000;
/** What describes samples by their number, and holds wherever they lie. */
const keptTables: ReadonlySet<string> = new Set([
  'stsd',
  'stts',
  'ctts',
  'cslg',
  'stss',
  'stps',
  'stsz',
  'stz2',
  'sdtp',
  'sbgp',
  'sgpd',
  'subs',
]);

/** A track with all that its tables say of its samples. */
export interface TableTrack {
  readonly track: Track;
  readonly samples: SampleTable;
  /** Of each sample, in ticks of the media. */
  readonly durations: Uint32Array;
}

/** Samples that follow one another in the original and in the joined file: a chunk of the joined file's tables. */
interface Chunk extends PartPiece {
  readonly samples: number;
  /** Which turn it begins in. */
  readonly turn: number;
}

/**
 * Reads a track's tables. @param fileSize bytes; null when unknown
 * @returns null when they describe no samples
 * @throws Failure `media_invalid`, also for samples that overlap or lie in another order than they are decoded in
 */
export function readTableTrack(track: Track, fileSize: number | null): TableTrack | null {
  checkDescriptions(track);
  const samples = readSampleTable(track.moov, track.stbl, fileSize, maxSampleBytes);
  if (samples.count === 0) return null;
  return { track, samples, durations: readDurations(track.moov, track.stbl, samples.count) };
}

/** Larger than any picture; what a sample really has is held against the file's size. */
const maxSampleBytes = 2 ** 31;

/** Reckons the joined file. @throws Failure `media_invalid` for samples that are scattered all over their file */
export function layOutTables(picture: TableTrack, sound: TableTrack): Layout {
  const chunks = inTurns(chunksOf(picture, 'picture'), chunksOf(sound, 'sound'));
  const head = writeHead(picture, sound, chunks);
  let size = head.length;
  for (const { start, end } of chunks) size += end - start;
  return {
    head,
    size,
    hasRanges: true,
    piecesFrom: () => ({ at: 0, pieces: [{ bytes: head }, ...chunks] }),
    spanOf(part, start, end) {
      const until = end ?? size;
      let at = head.length;
      let first: number | null = null;
      let last = 0;
      for (const chunk of chunks) {
        const next = at + chunk.end - chunk.start;
        if (chunk.part === part && next > start && at < until) {
          first ??= chunk.start + Math.max(0, start - at);
          last = chunk.end - Math.max(0, next - until);
        }
        at = next;
      }
      return first === null ? null : { start: first, end: last };
    },
  };
}

function chunksOf({ track, samples, durations }: TableTrack, part: Part): Chunk[] {
  const { offsets, sizes, count } = samples;
  const turnTicks = turnS * track.timescale;
  const chunks: Chunk[] = [];
  let time = 0;
  for (let n = 0; n < count; ) {
    if (chunks.length === maxChunks) throw invalid(`samples in more than ${maxChunks} pieces`);
    const turn = Math.floor(time / turnTicks);
    const start = offsets[n] ?? 0;
    let end = start;
    const first = n;
    do {
      end += sizes[n] ?? 0;
      time += durations[n] ?? 0;
      n += 1;
    } while (n < count && offsets[n] === end && time < (turn + 1) * turnTicks);
    chunks.push({ part, start, end, samples: n - first, turn });
  }
  return chunks;
}

/** The picture of each turn before its sound. */
function inTurns(picture: readonly Chunk[], sound: readonly Chunk[]): Chunk[] {
  const chunks: Chunk[] = [];
  let heard = 0;
  const soundUntil = (turn: number) => {
    for (let next = sound[heard]; next !== undefined && next.turn < turn; next = sound[heard]) {
      chunks.push(next);
      heard += 1;
    }
  };
  for (const chunk of picture) {
    soundUntil(chunk.turn);
    chunks.push(chunk);
  }
  soundUntil(Number.POSITIVE_INFINITY);
  return chunks;
}

function writeHead(picture: TableTrack, sound: TableTrack, chunks: readonly Chunk[]): Buffer {
  const mediaBytes = picture.samples.bytes + sound.samples.bytes;
  const fileType = writeFileType(false);
  const movie = (mediaAt: number, isLarge: boolean) =>
    writeMovie([
      joinedTrack(picture, 1, chunks, 'picture', mediaAt, isLarge),
      joinedTrack(sound, 2, chunks, 'sound', mediaAt, isLarge),
    ]);
  const small = movie(0, false).length;
  const isLarge = fileType.length + small + mediaBytes > 0xffffff00;
  const mdat = isLarge
    ? Buffer.concat([u32(1), bytes('mdat'), u64(mediaBytes + 16)])
    : Buffer.concat([u32(mediaBytes + 8), bytes('mdat')]);
  const moovBytes = isLarge ? movie(0, true).length : small;
  return Buffer.concat([fileType, movie(fileType.length + moovBytes + mdat.length, isLarge), mdat]);
}

function joinedTrack(
  { track, durations }: TableTrack,
  id: number,
  chunks: readonly Chunk[],
  part: Part,
  mediaAt: number,
  isLarge: boolean,
): JoinedTrack {
  const offsets: number[] = [];
  const counts: number[] = [];
  let at = mediaAt;
  for (const chunk of chunks) {
    if (chunk.part === part) {
      offsets.push(at);
      counts.push(chunk.samples);
    }
    at += chunk.end - chunk.start;
  }
  const tables = [
    ...copyTables(track, keptTables),
    writeChunkRuns(counts),
    writeChunkOffsets(offsets, isLarge),
  ];
  return { track, id, mediaDuration: durations.reduce((sum, ticks) => sum + ticks, 0), tables };
}

/** Which chunks hold how many samples (`stsc`). */
export function writeChunkRuns(counts: readonly number[]): Buffer {
  const runs: number[] = [];
  let previous = 0;
  for (const [n, count] of counts.entries()) {
    if (count !== previous) runs.push(n + 1, count, 1);
    previous = count;
  }
  return fullBox('stsc', 0, u32(runs.length / 3), u32s(runs));
}

/** Where the chunks lie (`stco`, or `co64` in a large file). */
export function writeChunkOffsets(offsets: readonly number[], isLarge: boolean): Buffer {
  if (!isLarge) return fullBox('stco', 0, u32(offsets.length), u32s(offsets));
  return fullBox('co64', 0, u32(offsets.length), Buffer.concat(offsets.map(u64)));
}
