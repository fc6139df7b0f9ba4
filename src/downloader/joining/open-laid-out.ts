import { createHash } from 'node:crypto';
import { Failure } from '../../failures/failures.ts';
import { chooseRange } from '../streaming/ranges.ts';
import { relay } from '../streaming/relay.ts';
import type { OpenedVideo, VideoRequest } from '../streaming/video.ts';
import { JoinedFlow, type JoinedFlowOptions } from './joined-flow.ts';

/** A file whose layout is known before its first byte. */
interface LaidOutFile {
  /** Null when that is not known. */
  readonly size: number | null;
  readonly hasRanges: boolean;
  /** Null for a file that is always given as a whole. */
  readonly etag: string | null;
  /** Opens the originals for some bytes of it. @param end null for its own */
  open(start: number, end: number | null): Promise<Pick<JoinedFlowOptions, 'at' | 'pieces' | 'feeds'>>;
}

/** Answers a client with a file that is made of originals. @throws what `open` throws */
export async function openLaidOut(
  { range, ifRange, head, targetIdleMs, signal }: Omit<VideoRequest, 'source' | 'refresh'>,
  { size, hasRanges, etag, open }: LaidOutFile,
): Promise<OpenedVideo> {
  const { status, start, end } =
    etag === null || size === null
      ? ({ status: 200, start: 0, end: size } as const)
      : chooseRange({ range, ifRange }, etag, size);
  const facts = { status, size, start, length: end === null ? null : end - start, etag, hasRanges };
  if (head === true || status === 416) return { ...facts, close: () => {}, pipeTo: nothingToSend };
  const flow = new JoinedFlow({ ...(await open(start, end)), start, end, size });
  return {
    ...facts,
    close: () => flow.stop(),
    pipeTo: (target) => relay({ flow, target, targetIdleMs, signal }),
  };
}

/**
 * A validator that is equal for equal bytes: the head is the only part of such a file that is not in the originals, and
 * it records which parts of them are included.
 * @param originals what tells these from others
 */
export function etagFor(kind: string, head: Buffer, originals: readonly unknown[]): string {
  const hash = createHash('sha256').update(head).update(originals.map(String).join(' '));
  return `"${kind}-${hash.digest('base64url').slice(0, 22)}"`;
}

function nothingToSend(): never {
  throw new Failure('internal', { note: 'there is no body to send' });
}
