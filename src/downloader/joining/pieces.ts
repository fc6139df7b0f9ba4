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
