import { invalid } from '../../media/mp4/boxes.ts';
import { readSampleTable, type SampleTable } from '../../media/mp4/sample-table.ts';
import { readDurations } from '../../media/mp4/sample-times.ts';
import type { Track } from '../../media/mp4/track.ts';
import { bytes, fullBox, u32, u32s, u64 } from '../../media/mp4/write-boxes.ts';
import type { Part, PartPiece } from '../pieces.ts';
import type { Layout } from './layout.ts';
import { checkDescriptions, copyTables, type JoinedTrack, writeFileType, writeMovie } from './movie-head.ts';

/*
 * Joins two files with sample tables (`stbl`) into one of the same kind: `ftyp`, `moov`, and an `mdat` that alternates
 * a second of picture and a second of sound. Sample tables are copied; chunk offsets are recomputed. So every byte of
 * the joined file is known before the first is sent.
 */

/** Length of an interleaving interval, in seconds. */
const intervalS = 1;
/** More than a day of intervals. */
const maxChunks = 100_000;
/** Tables that refer to samples by number and stay valid when the samples move. */
const copiedTables: ReadonlySet<string> = new Set([
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
  /** Duration of each sample, in ticks of the media. */
  readonly durations: Uint32Array;
}

/** Samples that follow one another in the original and in the joined file: a chunk of the joined file's tables. */
interface Chunk extends PartPiece {
  readonly samples: number;
  /** The interval in which it begins. */
  readonly interval: number;
}

/**
 * Reads a track's tables.
 * @param fileSize bytes; null when unknown
 * @returns null when they describe no samples
 * @throws Failure `media_invalid`, also for samples that overlap or are not in decoding order
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
  const chunks = interleave(chunksOf(picture, 'picture'), chunksOf(sound, 'sound'));
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
  const intervalTicks = intervalS * track.timescale;
  const chunks: Chunk[] = [];
  let time = 0;
  for (let n = 0; n < count; ) {
    if (chunks.length === maxChunks) throw invalid(`samples in more than ${maxChunks} pieces`);
    const interval = Math.floor(time / intervalTicks);
    const start = offsets[n] ?? 0;
    let end = start;
    const first = n;
    do {
      end += sizes[n] ?? 0;
      time += durations[n] ?? 0;
      n += 1;
    } while (n < count && offsets[n] === end && time < (interval + 1) * intervalTicks);
    chunks.push({ part, start, end, samples: n - first, interval });
  }
  return chunks;
}

/** Puts the picture of each interval before its sound. */
function interleave(picture: readonly Chunk[], sound: readonly Chunk[]): Chunk[] {
  const chunks: Chunk[] = [];
  let heard = 0;
  const soundUntil = (interval: number) => {
    for (let next = sound[heard]; next !== undefined && next.interval < interval; next = sound[heard]) {
      chunks.push(next);
      heard += 1;
    }
  };
  for (const chunk of picture) {
    soundUntil(chunk.interval);
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
    ...copyTables(track, copiedTables),
    writeChunkRuns(counts),
    writeChunkOffsets(offsets, isLarge),
  ];
  return { track, id, mediaDuration: durations.reduce((sum, ticks) => sum + ticks, 0), tables };
}

/** Sample counts by runs of chunks (`stsc`). */
export function writeChunkRuns(counts: readonly number[]): Buffer {
  const runs: number[] = [];
  let previous = 0;
  for (const [n, count] of counts.entries()) {
    if (count !== previous) runs.push(n + 1, count, 1);
    previous = count;
  }
  return fullBox('stsc', 0, u32(runs.length / 3), u32s(runs));
}

/** Chunk offsets (`stco`, or `co64` in a large file). */
export function writeChunkOffsets(offsets: readonly number[], isLarge: boolean): Buffer {
  if (!isLarge) return fullBox('stco', 0, u32(offsets.length), u32s(offsets));
  return fullBox('co64', 0, u32(offsets.length), Buffer.concat(offsets.map(u64)));
}
