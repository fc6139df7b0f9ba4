import { createHash } from 'node:crypto';
import { Failure } from '../../failures/failures.ts';
import { invalid } from '../media/mp4/boxes.ts';
import { ownCopy, releaseChunk } from '../network/memory.ts';
import { chooseRange } from '../streaming/ranges.ts';
import { type RelayedFlow, relay } from '../streaming/relay.ts';
import type { OpenedVideo, VideoRequest } from '../streaming/video.ts';
import type { Feed } from './feed.ts';
import { type Feeds, type Part, type Piece, type PiecesFrom, pieceLength } from './layouts/layout.ts';

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

interface JoinedFlowOptions extends PiecesFrom {
  readonly feeds: Feeds;
  /** First byte of the joined file to give. */
  readonly start: number;
  /** One past the last; null for the rest of the file. */
  readonly end: number | null;
  /** Bytes of the joined file; null when that is not known. */
  readonly size: number | null;
}

/** Another write to a socket costs about as much as copying these. */
const smallBytes = 8 * 1024;

/**
 * The bytes of a joined file: our own pieces and those of both originals in order. Ends normally only when every byte
 * was given.
 */
export class JoinedFlow implements RelayedFlow {
  readonly #options: JoinedFlowOptions;
  readonly #pieces: Iterator<Piece> | AsyncIterator<Piece>;
  /** The present piece's original, or its own bytes. */
  #feed: Feed | null = null;
  #own: Buffer | null = null;
  /** Bytes of the piece that were not read yet. */
  #left = 0;
  /** Position in the joined file behind it. */
  #at: number;
  #isLast = false;
  /** Ends of pieces that were not given yet: one write to the client's socket with the next. */
  #small: Buffer[] = [];
  #smallBytes = 0;

  constructor(options: JoinedFlowOptions) {
    const { pieces } = options;
    this.#options = options;
    this.#pieces =
      Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
    this.#at = options.at;
  }

  get resumes(): number {
    const { picture, sound } = this.#options.feeds;
    return (picture?.resumes ?? 0) + (sound?.resumes ?? 0);
  }

  async next(): Promise<Buffer | null> {
    while (this.#left > 0 || (await this.#nextPiece())) {
      const chunk = this.#own ?? this.#feed?.take(this.#left) ?? null;
      if (chunk === null) {
        // Bytes that are present do not wait for missing ones.
        if (this.#smallBytes > 0) return this.#flush();
        await this.#feed?.fill();
        continue;
      }
      this.#own = null;
      this.#left -= chunk.length;
      if (this.#smallBytes === 0 && (this.#left > 0 || chunk.length >= smallBytes)) return chunk;
      this.#small.push(chunk);
      this.#smallBytes += chunk.length;
      if (this.#left > 0 || this.#smallBytes >= smallBytes) return this.#flush();
    }
    if (this.#smallBytes > 0) return this.#flush();
    this.stop();
    return null;
  }

  stop(): void {
    const { picture, sound } = this.#options.feeds;
    picture?.stop();
    sound?.stop();
  }

  /** Goes to the next piece of which bytes are needed. @returns false at the end */
  async #nextPiece(): Promise<boolean> {
    const { start, end, size } = this.#options;
    while (!this.#isLast) {
      const { value: piece, done } = await this.#pieces.next();
      if (done) break;
      const length = pieceLength(piece);
      const from = Math.max(0, start - this.#at);
      const to = end === null ? length : Math.min(length, end - this.#at);
      this.#at += length;
      // At the end of the file, the source of the pieces still checks for missing bytes.
      this.#isLast = to < length || (this.#at === end && end !== size);
      if (from >= to) continue;
      this.#left = to - from;
      if ('bytes' in piece) this.#own = piece.bytes.subarray(from, to);
      else await this.#goTo(piece.part, piece.start + from);
      return true;
    }
    if (end !== null && this.#at < end) throw invalid(`the joined file ends at ${this.#at}, not at ${end}`);
    return false;
  }

  async #goTo(part: Part, offset: number): Promise<void> {
    const feed = this.#options.feeds[part];
    if (feed === null) throw new Error(`the ${part} was not opened`);
    this.#feed = feed;
    if (feed.position !== offset) await feed.skipTo(offset);
  }

  #flush(): Buffer {
    const small = this.#small;
    const [only] = small;
    this.#small = [];
    this.#smallBytes = 0;
    if (only !== undefined && small.length === 1) return only;
    const bytes = ownCopy(...small);
    small.forEach(releaseChunk);
    return bytes;
  }
}
