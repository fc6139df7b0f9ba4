import { headBytes, isMp4 } from '../media/mp4/top-level-boxes.ts';
import type { MediaNetwork } from '../network/contracts.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';
import type { MediaSource } from '../posts/post.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import { ResumableSource } from '../streaming/resumable-source.ts';
import type { FragmentTrack } from './fragmented.ts';
import { readPart } from './read-part.ts';

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
  return { ...(await readPart(byteSourceOf(source), head, kind, signal)), source, head };
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
