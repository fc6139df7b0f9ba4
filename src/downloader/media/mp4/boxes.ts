import { Failure } from '../../../failures/failures.ts';

/** A box inside a buffer: its four-character type and the position of its content. */
export interface Box {
  readonly type: string;
  /** First byte of the content, after the header. */
  readonly start: number;
  /** One past the last byte of the content. */
  readonly end: number;
}

/** The header of a box in a file that is not in memory. */
interface BoxHeader {
  readonly type: string;
  readonly headerLength: number;
  /** Whole box in bytes, header included; null when it reaches to the end of the file (size 0). */
  readonly size: number | null;
}

/** Deeper nesting or more siblings than any real file has. */
const maxChildren = 512;

/** A {@link Failure} for a file that is not what it claims to be. */
export function invalid(note: string): Failure {
  return new Failure('media_invalid', { note });
}

/**
 * Reads a box header (ISO/IEC 14496-12, 4.2), with 64-bit sizes.
 * @returns null when the header is incomplete
 * @throws Failure `media_invalid` for a size smaller than the header or beyond 2^53
 */
export function readBoxHeader(bytes: Buffer, at: number): BoxHeader | null {
  if (at + 8 > bytes.length) return null;
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (size === 0) return { type, headerLength: 8, size: null };
  if (size !== 1) {
    if (size < 8) throw invalid(`box '${printable(type)}' of ${size} bytes`);
    return { type, headerLength: 8, size };
  }
  if (at + 16 > bytes.length) return null;
  const large = bytes.readBigUInt64BE(at + 8);
  if (large < 16n || large > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalid(`box '${printable(type)}' of ${large} bytes`);
  return { type, headerLength: 16, size: Number(large) };
}

/**
 * The boxes between two offsets of a buffer. They follow one another inside their parent, so a walk always ends.
 * @throws Failure `media_invalid` when one reaches past `end` or there are more than any real file has
 */
export function* children(bytes: Buffer, start: number, end: number): Generator<Box> {
  let at = start;
  for (let count = 0; at + 8 <= end; count++) {
    if (count === maxChildren) throw invalid('too many boxes');
    const header = readBoxHeader(bytes, at);
    if (header === null) throw invalid('box header cut off');
    const boxEnd = header.size === null ? end : at + header.size;
    if (boxEnd > end) throw invalid(`box '${printable(header.type)}' is larger than its parent`);
    yield { type: header.type, start: at + header.headerLength, end: boxEnd };
    at = boxEnd;
  }
}

/** The first child of a type, or null. */
export function child(bytes: Buffer, parent: { start: number; end: number }, type: string): Box | null {
  for (const box of children(bytes, parent.start, parent.end)) if (box.type === type) return box;
  return null;
}

/** The first child of a type. @throws Failure `media_invalid` when there is none */
export function requiredChild(bytes: Buffer, parent: { start: number; end: number }, type: string): Box {
  const box = child(bytes, parent, type);
  if (box === null) throw invalid(`no '${type}'`);
  return box;
}

/**
 * The entries of a table box: a full box with a 32-bit count at `countAt` (from the content's start) and entries of one
 * size after it. Copies nothing; checks the count against the present bytes.
 * @throws Failure `media_invalid` when the box is too short for its count
 */
export function table(
  bytes: Buffer,
  box: Box,
  entryBytes: number,
  countAt = 4,
): { readonly count: number; readonly start: number } {
  const start = box.start + countAt + 4;
  if (start > box.end) throw invalid(`'${printable(box.type)}' cut off`);
  const count = bytes.readUInt32BE(box.start + countAt);
  if (count * entryBytes > box.end - start) throw invalid(`'${printable(box.type)}' claims ${count} entries`);
  return { count, start };
}

/** A box type that is safe in a log line. */
export function printable(type: string): string {
  return type.replace(/[^ -~]/g, '?');
}
