import type { Feed } from '../feed.ts';
import type { Part, Piece, Span } from '../pieces.ts';

/** A joined file as far as it is known before its first byte. */
export interface Layout {
  /** Everything before the first sample. */
  readonly head: Buffer;
  /** Bytes of the whole file; null when that is not known. */
  readonly size: number | null;
  /** Whether the order of all pieces is known, so that one can begin anywhere. */
  readonly hasRanges: boolean;
  /** What has to be read of an original for the bytes from `start` to `end` of the joined file; null for nothing. */
  spanOf(part: Part, start: number, end: number | null): Span | null;
  /**
   * The file's pieces from one that lies at or before `start`; can be asked for once.
   * @param feeds read for what has to be looked at; whoever takes a piece has read all pieces before it, or skipped them
   */
  piecesFrom(start: number, feeds: Feeds): PiecesFrom;
}

/** Originals that are read, as far as they are needed. */
export type Feeds = Readonly<Record<Part, Feed | null>>;

/** A row of pieces, and where the first one lies in the joined file. */
export interface PiecesFrom {
  readonly at: number;
  readonly pieces: Iterable<Piece> | AsyncIterable<Piece>;
}
