import type { ByteSource } from '../contracts.ts';
import { invalid, printable, readBoxHeader } from './boxes.ts';

/** A box of a file that is not in memory, as its header describes it. */
export interface TopLevelBox {
  readonly type: string;
  /** Offset of its header in the file. */
  readonly at: number;
  readonly headerLength: number;
  /** Whole box in bytes, header included; null when it reaches to an end of the file that is not known. */
  readonly size: number | null;
}

/** Bytes of the first read: the `moov` box of a clip of two minutes fits. */
export const headBytes = 64 * 1024;
/** The tables of a six-hour clip with sound are smaller. */
const maxTableBytes = 16 * 1024 * 1024;
const maxTopLevelBoxes = 1024;
/** Some writers begin an `mdat` anew every few seconds, and each may take a read to step over. */
const maxReads = 128;
/** Reads after which only headers are fetched: the tables are not near. */
const farReads = 8;
const farBytes = 4096;
/** Without ranges every read costs all bytes before it: most tables that are last in their file come with their header. */
const rangelessBytes = 2 ** 20;

/**
 * Walks the boxes of an mp4 with few bounded reads: neither the number of boxes nor any claimed size can make it read
 * or keep more than 16 MB.
 */
export class TopLevelBoxes {
  /** The file's first bytes. */
  readonly head: Buffer;
  /** Bytes that reading took. */
  bytesRead: number;
  readonly #source: ByteSource;
  readonly #signal: AbortSignal;
  #last: { readonly offset: number; readonly bytes: Buffer };
  #reads = 0;

  /**
   * @param head the file's first bytes
   * @throws Failure `media_invalid` when they are not an mp4's (a playlist, a page, a broken file)
   */
  constructor(source: ByteSource, head: Buffer, signal: AbortSignal) {
    if (!isMp4(head)) throw invalid(`starts with '${printable(head.toString('latin1', 0, 12))}'`);
    this.#source = source;
    this.#signal = signal;
    this.head = head;
    this.bytesRead = head.length;
    this.#last = { offset: 0, bytes: head };
  }

  /**
   * Walks from box to box until the file ends or a box has no known end.
   * @throws Failure `media_invalid`, `media_unavailable`, or the signal's reason
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<TopLevelBox, void, void> {
    const { size: fileSize } = this.#source;
    let at = 0;
    for (let count = 0; count < maxTopLevelBoxes; count++) {
      if (fileSize !== null && at >= fileSize) return;
      const header = readBoxHeader(await this.#read(at, 16), 0);
      if (header === null) return;
      const { type, headerLength } = header;
      const size = header.size ?? (fileSize === null ? null : fileSize - at);
      yield { type, at, headerLength, size };
      if (size === null) return;
      at += size;
    }
  }

  /**
   * The whole of a box that holds tables, header included.
   * @throws Failure `media_invalid` when it is too large or cut off
   */
  async readTables({ type, at, size }: TopLevelBox): Promise<Buffer> {
    if (size === null || size > maxTableBytes)
      throw invalid(`'${printable(type)}' of ${size ?? 'unknown'} bytes`);
    const bytes = await this.#read(at, size);
    if (bytes.length < size) throw invalid(`'${printable(type)}' cut off`);
    return bytes;
  }

  /**
   * Exactly `length` bytes, or fewer at the end of the file; fetches more than requested, since the next box is usually
   * near.
   */
  async #read(offset: number, length: number): Promise<Buffer> {
    const { offset: lastOffset, bytes: last } = this.#last;
    const from = offset - lastOffset;
    const known = from >= 0 && from < last.length ? last.subarray(from, from + length) : last.subarray(0, 0);
    if (known.length === length) return known;
    if (++this.#reads > maxReads) throw invalid('too many boxes before the tables');
    const usual = this.#reads > farReads ? farBytes : headBytes;
    const ahead = this.#source.hasRanges ? usual : rangelessBytes;
    const missing = Math.max(length - known.length, known.length === 0 ? ahead : 0);
    const bytes = await this.#source.read(offset + known.length, missing, this.#signal);
    this.bytesRead += bytes.length;
    this.#last = { offset, bytes: known.length === 0 ? bytes : Buffer.concat([known, bytes]) };
    return this.#last.bytes.subarray(0, length);
  }
}

/** Boxes with which files begin: `ftyp` came late to the format, and the tables or the media may be first. */
const firstBoxes: ReadonlySet<string> = new Set([
  ...['ftyp', 'styp', 'moov', 'moof', 'sidx', 'mdat', 'free', 'skip', 'wide', 'pnot', 'uuid', 'udta', 'meta'],
]);
/** No box of an unknown type before them is larger. */
const maxUnknownBytes = 2 ** 20;

/**
 * Whether a file that begins with these bytes, at least eight, is an mp4 (ISO/IEC 14496-12, 4.3). Boxes of unknown types
 * may come first; what follows them need not be there.
 */
export function isMp4(head: Buffer): boolean {
  let at = 0;
  while (at + 8 <= head.length) {
    const type = head.toString('latin1', at + 4, at + 8);
    if (firstBoxes.has(type)) return true;
    const size = head.readUInt32BE(at);
    if (size < 8 || size > maxUnknownBytes || printable(type) !== type) return false;
    at += size;
  }
  return at > 0;
}
