import type { ByteSource } from '../media/contracts.ts';
import { child, invalid } from '../media/mp4/boxes.ts';
import { readSampleDefaults } from '../media/mp4/fragment.ts';
import { readSegmentIndex, type SegmentIndex } from '../media/mp4/segment-index.ts';
import { TopLevelBoxes } from '../media/mp4/top-level-boxes.ts';
import { findTrack, type Track } from '../media/mp4/track.ts';
import type { FragmentTrack, PartFragments } from './layouts/fragmented.ts';
import { readTableTrack } from './layouts/sample-tables.ts';

/**
 * Reads a file's description of one of its tracks, with few bounded reads.
 * @param head its first bytes
 * @throws Failure `media_invalid` when it is no mp4, lacks the track, or the track has no samples; `media_unavailable`,
 *   or the signal's reason
 */
export async function readPart(
  source: ByteSource,
  head: Buffer,
  kind: 'vide' | 'soun',
  signal: AbortSignal,
): Promise<FragmentTrack> {
  const boxes = new TopLevelBoxes(source, head, signal);
  let found: { moov: Buffer; root: Root; track: Track } | null = null;
  let index: SegmentIndex | null = null;
  for await (const box of boxes) {
    if (box.type === 'moov' && found === null) {
      const moov = await boxes.readTables(box);
      const root = { start: box.headerLength, end: moov.length };
      const track = findTrack(moov, root, kind);
      if (track === null) throw invalid(`no '${kind}' track`);
      found = { moov, root, track };
      if (child(moov, root, 'mvex') === null) break;
    } else if (box.type === 'sidx' && found !== null && index === null) {
      index = readSegmentIndex(await boxes.readTables(box), box.headerLength, box.at);
    } else if (box.type === 'moof') {
      if (found === null) throw invalid(`fragments before 'moov'`);
      const { moov, root, track } = found;
      const defaults = readSampleDefaults(moov, root);
      if (!defaults.has(track.id)) throw invalid(`fragments without their 'trex'`);
      const fragments = { ...placeOf(box.at, index, source.size), defaults };
      return { track, table: readTableTrack(track, source.size), fragments };
    }
  }
  if (found === null) throw invalid(`no 'moov'`);
  const table = readTableTrack(found.track, source.size);
  if (table === null) throw invalid('a track without samples');
  return { track: found.track, table, fragments: null };
}

type Root = { readonly start: number; readonly end: number };

/** Maximum bytes that writers put after the last fragment (`mfra`): for each fragment, and in total. */
const [trailerBytesEach, trailerBytes] = [32, 1024];

/** Positions of the fragments. An index is used only if it covers all of them. */
function placeOf(
  first: number,
  index: SegmentIndex | null,
  size: number | null,
): Pick<PartFragments, 'start' | 'end' | 'index'> {
  const none = { start: first, end: size, index: null };
  if (index === null || size === null || index.start > first) return none;
  const end = index.segments.reduce((sum, { bytes }) => sum + bytes, index.start);
  if (end > size) throw invalid(`'sidx' reaches to ${end}, file ends at ${size}`);
  const isWhole = size - end <= trailerBytes + trailerBytesEach * index.segments.length;
  return isWhole ? { start: index.start, end: size, index } : none;
}
