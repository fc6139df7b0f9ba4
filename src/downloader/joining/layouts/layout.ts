import type { Feed } from '../feed.ts';

/** One of the two originals. */
export type Part = 'picture' | 'sound';

/** The joined file from its first byte on is a row of these: bytes of our own, and rows of bytes of an original. */
export type Piece = { readonly bytes: Buffer } | PartPiece;

/** Bytes of an original, from `start` to `end` (exclusive). */
export interface PartPiece {
  readonly part: Part;
  readonly start: number;
  readonly end: number;
}

/** Span of the needed bytes in an original, the end exclusive; null for the end of the file. */
export interface Span {
  readonly start: number;
  readonly end: number | null;
}

export function pieceLength(piece: Piece): number {
  return 'bytes' in piece ? piece.bytes.length : piece.end - piece.start;
}

/** A joined file as far as it is known before its first byte. */
export interface Layout {
  /** Everything before the first sample. */
  readonly head: Buffer;
  /** Bytes of the whole file; null when that is not known. */
  readonly size: number | null;
  /** Whether the order of all pieces is known, so that reading can begin anywhere. */
  readonly hasRanges: boolean;
  /** The span of an original that is needed for the bytes from `start` to `end` of the joined file; null for none. */
  spanOf(part: Part, start: number, end: number | null): Span | null;
  /**
   * The file's pieces from one at or before `start`; can be requested once.
   * @param feeds used to read data that decides the order; the taker must have read or skipped all earlier pieces
   */
  piecesFrom(start: number, feeds: Feeds): PiecesFrom;
}

/** Originals that are read, as far as they are needed. */
export type Feeds = Readonly<Record<Part, Feed | null>>;

/** A run of pieces, and the position of the first in the joined file. */
export interface PiecesFrom {
  readonly at: number;
  readonly pieces: Iterable<Piece> | AsyncIterable<Piece>;
}
