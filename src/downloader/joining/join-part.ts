import { Failure } from '../../failures/failures.ts';
import { headBytes, isMp4 } from '../media/mp4/top-level-boxes.ts';
import type { MediaFlow, PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../post/post.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import { firstBytes } from '../streaming/first-bytes.ts';
import { ResumableSource } from '../streaming/resumable-source.ts';
import type { FragmentTrack } from './layouts/fragmented.ts';
import { readPart } from './read-part.ts';

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

export interface OpenPartOptions extends JoinPart {
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
