import { Failure } from '../../failures/failures.ts';
import { readFirst } from '../joining/join-part.ts';
import { readTableTrack, type TableTrack } from '../joining/layouts/sample-tables.ts';
import { child, invalid } from '../media/mp4/boxes.ts';
import { TopLevelBoxes } from '../media/mp4/top-level-boxes.ts';
import { findTrack } from '../media/mp4/track.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import type { ResumableSource } from '../streaming/resumable-source.ts';

/** The tracks of a file, as far as it has them. */
export interface FileTracks {
  readonly head: Buffer;
  readonly picture: TableTrack | null;
  readonly sound: TableTrack | null;
}

/**
 * Reads the positions and times of all samples of a file, with few bounded reads.
 * @throws Failure `cut_unsupported` for a fragmented file, which describes its samples piece by piece; `media_invalid`,
 *   `media_unavailable`, … or the signal's reason
 */
export async function readTracks(source: ResumableSource, signal: AbortSignal): Promise<FileTracks> {
  const head = await readFirst(source, signal);
  const boxes = new TopLevelBoxes(byteSourceOf(source), head, signal);
  for await (const box of boxes) {
    if (box.type !== 'moov') continue;
    const moov = await boxes.readTables(box);
    const root = { start: box.headerLength, end: moov.length };
    if (child(moov, root, 'mvex') !== null) throw new Failure('cut_unsupported', { note: 'in fragments' });
    const read = (kind: 'vide' | 'soun') => {
      const track = findTrack(moov, root, kind);
      return track && readTableTrack(track, source.size);
    };
    return { head, picture: read('vide'), sound: read('soun') };
  }
  throw invalid(`no 'moov'`);
}
