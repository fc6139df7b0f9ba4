import { Failure } from '../../failures/failures.ts';
import type { ByteSource } from '../media/contracts.ts';
import { child, invalid } from '../media/mp4/boxes.ts';
import { readSampleDefaults } from '../media/mp4/fragment.ts';
import { readSegmentIndex, type SegmentIndex } from '../media/mp4/segment-index.ts';
import { headBytes, isMp4, TopLevelBoxes } from '../media/mp4/top-level-boxes.ts';
import { findTrack, type Track } from '../media/mp4/track.ts';
import type { MediaFlow, PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../post/post.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import { ResumableSource } from '../streaming/resumable-source.ts';
import { firstBytes } from '../streaming/resuming-flow.ts';
import type { FragmentTrack, PartFragments } from './layouts/fragmented.ts';
import { readTableTrack } from './layouts/sample-tables.ts';

/** One of the two files to join. */
export interface JoinPart {
  readonly source: MediaSource;
  /** Reads the post again when the addresses have expired; called at most once. */
  readonly refresh?: RefreshSource | undefined;
}

/** A file whose tables have been read. */
export interface OpenedPart extends FragmentTrack {
  readonly source: ResumableSource;
  /** The file's first bytes. */
  readonly head: Buffer;
  /**
   * The open response from the file's first byte, if the file is read as a whole; a caller that does not continue must
   * stop it.
   */
  readonly opened: HeldFlow | null;
}

/** An open file, and what was read of it already. */
export interface HeldFlow {
  readonly flow: MediaFlow;
  readonly held: readonly Buffer[];
}

interface OpenPartOptions extends JoinPart {
  readonly network: Pick<PlatformNetwork, 'openMedia'>;
  readonly kind: 'vide' | 'soun';
  /** Opens the file to be read as a whole: reading continues after the head over the same connection. */
  readonly isWhole: boolean;
  /** Whether its connections are beyond the bound: for a file that no client is waited with for. */
  readonly isUnbounded: boolean;
  readonly signal: AbortSignal;
}

/** Allows for a slow server, 11 kB/s. */
const headLimitMs = 6000;

/**
 * Reads a file's tables with few bounded reads.
 * @throws Failure `media_invalid` when it is no mp4 or lacks the track, `media_unavailable`, … or the signal's reason
 */
export async function openPart(options: OpenPartOptions): Promise<OpenedPart> {
  const { network, kind, isUnbounded, isWhole, refresh, signal } = options;
  const source = new ResumableSource({ network, source: options.source, refresh, isUnbounded });
  const { head, opened } = await readHead(source, isWhole, signal);
  try {
    return { ...(await readPart(byteSourceOf(source), head, kind, signal)), source, head, opened };
  } catch (error) {
    opened?.flow.stop();
    throw error;
  }
}

/** A file's first bytes, from the first of its addresses that has an mp4. @throws as {@link openPart} */
export const readFirst = async (source: ResumableSource, signal: AbortSignal): Promise<Buffer> =>
  (await readHead(source, false, signal)).head;

/** The first bytes, from the first address that has an mp4. */
async function readHead(
  source: ResumableSource,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<Pick<OpenedPart, 'head' | 'opened'>> {
  for (let tried = 1; ; tried += 1) {
    const opened = isWhole ? await openHeld(source, signal) : null;
    const head =
      opened === null
        ? await byteSourceOf(source).read(0, headBytes, signal)
        : Buffer.concat(opened.held).subarray(0, headBytes);
    if (isMp4(head) || tried >= source.mirrors) return { head, opened };
    opened?.flow.stop();
    source.nextMirror();
    // A response that was not the file does not state its size.
    source.size = null;
  }
}

/**
 * @returns null when the connection closed at once or the file is empty: reading the head alone gives a better error
 */
async function openHeld(source: ResumableSource, signal: AbortSignal): Promise<HeldFlow | null> {
  const flow = await source.open(0, null, signal).catch((error: unknown) => {
    if (error instanceof Failure && error.key === 'range_unsatisfiable') return null;
    throw error;
  });
  if (flow === null) return null;
  try {
    return { flow, held: await firstBytes(flow, headBytes, headLimitMs) };
  } catch {
    flow.stop();
    signal.throwIfAborted();
    return null;
  }
}

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
