import { child, invalid } from '../media/mp4/boxes.ts';
import { readSampleDefaults } from '../media/mp4/fragment.ts';
import { readSegmentIndex, type SegmentIndex } from '../media/mp4/segment-index.ts';
import { headBytes, isMp4, TopLevelBoxes } from '../media/mp4/top-level-boxes.ts';
import { findTrack, type Track } from '../media/mp4/track.ts';
import type { MediaNetwork } from '../network/contracts.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';
import type { MediaSource } from '../posts/post.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import { ResumableSource } from '../streaming/resumable-source.ts';
import type { FragmentTrack, PartFragments } from './fragmented.ts';
import { readTableTrack } from './progressive.ts';

/** One of the two files that become one. */
export interface JoinPart {
  readonly source: MediaSource;
  /** Reads the post again when the addresses have expired; asked at most once. */
  readonly refresh?: RefreshSource | undefined;
}

/** A file whose tables were read. */
export interface OpenedPart extends FragmentTrack {
  readonly source: ResumableSource;
  /** The file's first bytes. */
  readonly head: Buffer;
}

export interface OpenPartOptions extends JoinPart {
  readonly network: Pick<MediaNetwork, 'openFlow'>;
  readonly kind: 'vide' | 'soun';
  /** Whether its connections are beyond the bound: for a file that no client is waited with for. */
  readonly isUnbounded: boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads a file's tables by few and bounded reads.
 * @throws Failure `media_invalid` when it is no mp4 or has no such track, `media_unavailable`, … or the signal's reason
 */
export async function openPart(options: OpenPartOptions): Promise<OpenedPart> {
  const { network, kind, isUnbounded, refresh, signal } = options;
  const source = new ResumableSource({ network, source: options.source, refresh, isUnbounded });
  const head = await readHead(source, signal);
  const boxes = new TopLevelBoxes(byteSourceOf(source), head, signal);
  let found: { moov: Buffer; root: Root; track: Track } | null = null;
  let index: SegmentIndex | null = null;
  for await (const box of boxes) {
    if (found === null && box.type === 'moof') throw invalid(`fragments before 'moov'`);
    if (box.type === 'moov') {
      const moov = await boxes.readTables(box);
      const root = { start: box.headerLength, end: moov.length };
      const track = findTrack(moov, root, kind);
      if (track === null) throw invalid(`no '${kind}' track`);
      found = { moov, root, track };
      if (child(moov, root, 'mvex') === null) break;
    } else if (box.type === 'sidx' && found !== null && index === null) {
      index = readSegmentIndex(await boxes.readTables(box), box.headerLength, box.at);
    } else if (box.type === 'moof' && found !== null) {
      const { moov, root, track } = found;
      const defaults = readSampleDefaults(moov, root, track.id);
      const fragments = { ...placeOf(box.at, index, source.size), defaults };
      return { source, head, track, table: readTableTrack(track, source.size), fragments };
    }
  }
  if (found === null) throw invalid(`no 'moov'`);
  const table = readTableTrack(found.track, source.size);
  if (table === null) throw invalid('a track without samples');
  return { source, head, track: found.track, table, fragments: null };
}

type Root = { readonly start: number; readonly end: number };

/** What writers put behind the last fragment for each of them (`mfra`), at most, and for all. */
const [trailerBytesEach, trailerBytes] = [32, 1024];

/** Where fragments lie. An index is of use only if it is one of all fragments. */
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

/** The first bytes, from the first address that has an mp4. */
async function readHead(source: ResumableSource, signal: AbortSignal): Promise<Buffer> {
  const bytes = byteSourceOf(source);
  for (let tried = 1; ; tried += 1) {
    const head = await bytes.read(0, headBytes, signal);
    if (isMp4(head) || tried >= source.mirrors) return head;
    source.nextMirror();
    // What was not the file says nothing about its size.
    source.size = null;
  }
}
