import type { MediaTags } from '../../media/tags.ts';
import {
  type ChunkOffsets,
  chunksOf,
  interleave,
  spansWithin,
  writeChunks,
  writeTableHead,
} from './chunks.ts';
import type { Layout } from './layout.ts';
import { copyTables, type JoinedTrack } from './movie-head.ts';
import { type TableTrack, writeSampleTables } from './sample-tables.ts';

/*
 * Joins two files with sample tables (`stbl`) into one of the same kind: `ftyp`, `moov`, and an `mdat` that alternates
 * a second of picture and a second of sound. So every byte of the joined file is known before the first is sent.
 */

/** Tables that refer to samples by number and stay valid when the samples move. */
const copiedTables: ReadonlySet<string> = new Set(['cslg', 'stps', 'sdtp', 'sbgp', 'sgpd', 'subs']);

/** Reckons the joined file. @throws Failure `media_invalid` for samples that are scattered all over their file */
export function layOutTables(picture: TableTrack, sound: TableTrack, tags?: MediaTags): Layout {
  const seen = chunksOf(picture, allOf(picture), 'picture');
  const heard = chunksOf(sound, allOf(sound), 'sound');
  const chunks = interleave(seen, heard);
  const tracksAt = (offsets: ChunkOffsets) => [
    joinedTrack(picture, 1, writeChunks(seen, offsets)),
    joinedTrack(sound, 2, writeChunks(heard, offsets)),
  ];
  const head = writeTableHead(chunks, tracksAt, tags);
  let size = head.length;
  for (const { start, end } of chunks) size += end - start;
  return {
    head,
    size,
    hasRanges: true,
    piecesFrom: () => ({ at: 0, pieces: [{ bytes: head }, ...chunks] }),
    spanOf(part, start, end) {
      const spans = spansWithin(chunks, head.length, part, { start, end: end ?? size });
      const [first, last] = [spans[0], spans.at(-1)];
      return first && last ? { start: first.start, end: last.end } : null;
    },
  };
}

const allOf = ({ samples: { count } }: TableTrack) => ({ first: 0, end: count });

function joinedTrack(table: TableTrack, id: number, places: readonly Buffer[]): JoinedTrack {
  const { track, durations, samples } = table;
  const tables = [
    ...copyTables(track, copiedTables),
    ...writeSampleTables(table, 0, samples.count),
    ...places,
  ];
  return { track, id, mediaDuration: durations.reduce((sum, ticks) => sum + ticks, 0), tables };
}
