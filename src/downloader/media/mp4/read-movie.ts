import type { ByteSource } from '../contracts.ts';
import { invalid, printable, readBoxHeader } from './boxes.ts';
import { readSoundTrack, type SoundTrackTable } from './sound-track.ts';

/** What an mp4 says about its sound. */
export interface Movie {
  /** File size in bytes; null when the source did not say. */
  readonly size: number | null;
  /** The file's first bytes, as far as they were read: small sounds may lie in them. */
  readonly head: Buffer;
  /** Bytes that reading the tables took. */
  readonly bytesRead: number;
  readonly sound: SoundTrackTable;
}

/** Bytes of the first read: the `moov` box of a clip of two minutes fits. */
const headBytes = 64 * 1024;
/** `moov` of a six-hour clip with sound is smaller. */
const maxMoovBytes = 16 * 1024 * 1024;
const maxTopLevelBoxes = 64;
const maxReads = 12;

interface Window {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Reads that count themselves and fetch a little more than asked, since the next box is usually near. */
class BoundedReader {
  readonly #source: ByteSource;
  readonly #signal: AbortSignal;
  readonly head: Buffer;
  #last: Window;
  #reads = 0;
  bytesRead: number;

  constructor(source: ByteSource, head: Buffer, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
    this.head = head;
    this.bytesRead = head.length;
    this.#last = { offset: 0, bytes: head };
  }

  /** Exactly `length` bytes, or fewer at the end of the file. */
  async read(offset: number, length: number): Promise<Buffer> {
    const { offset: lastOffset, bytes: last } = this.#last;
    const from = offset - lastOffset;
    const known = from >= 0 && from < last.length ? last.subarray(from, from + length) : last.subarray(0, 0);
    if (known.length === length) return known;
    if (++this.#reads > maxReads) throw invalid('too many boxes before the tables');
    const missing = Math.max(length - known.length, known.length === 0 ? headBytes : 0);
    const bytes = await this.#source.read(offset + known.length, missing, this.#signal);
    this.bytesRead += bytes.length;
    this.#last = { offset, bytes: known.length === 0 ? bytes : Buffer.concat([known, bytes]) };
    return this.#last.bytes.subarray(0, length);
  }
}

/**
 * Reads where the sound of an mp4 lies, with few and bounded reads: the head of the file, and the `moov` box wherever it
 * is. Neither the number of boxes nor any size that the file claims can make it read or keep more than 16 MB.
 * @param head the file's first bytes when the caller has them already
 * @throws Failure `media_invalid` when it is no mp4 (a playlist, a page, a broken file), `sound_missing`,
 * `sound_unsupported` for sound that is not AAC and for fragments, `media_unavailable`, or the signal's reason
 */
export async function readMovie(source: ByteSource, signal: AbortSignal, head?: Buffer): Promise<Movie> {
  signal.throwIfAborted();
  const reader = new BoundedReader(source, head ?? (await source.read(0, headBytes, signal)), signal);
  const first = readBoxHeader(reader.head, 0);
  if (first?.type !== 'ftyp')
    throw invalid(`starts with '${printable(reader.head.toString('latin1', 0, 12))}'`);

  let at = 0;
  for (let count = 0; count < maxTopLevelBoxes; count++) {
    if (source.size !== null && at >= source.size) break;
    const bytes = await reader.read(at, 16);
    const header = readBoxHeader(bytes, 0);
    if (header === null) break;
    if (header.type === 'moov') {
      const size = header.size ?? (source.size === null ? null : source.size - at);
      if (size === null || size > maxMoovBytes) throw invalid(`'moov' of ${size ?? 'unknown'} bytes`);
      const moov = await reader.read(at, size);
      if (moov.length < size) throw invalid(`'moov' cut off`);
      const sound = readSoundTrack(moov, { start: header.headerLength, end: size }, source.size);
      return { size: source.size, head: reader.head, bytesRead: reader.bytesRead, sound };
    }
    if (header.size === null) break;
    at += header.size;
  }
  throw invalid(`no 'moov'`);
}
