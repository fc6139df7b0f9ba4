import type { ByteSource } from '../contracts.ts';
import { invalid } from './boxes.ts';
import { readSoundTrack, type SoundTrackTable } from './sound-track.ts';
import { headBytes, TopLevelBoxes } from './top-level-boxes.ts';

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

/**
 * Reads where the sound of an mp4 lies, with few and bounded reads: the head of the file, and the `moov` box wherever it
 * is. Neither the number of boxes nor any size that the file claims can make it read or keep more than 16 MB.
 * @param head the file's first bytes when the caller has them already
 * @throws Failure `media_invalid` when it is no mp4 (a playlist, a page, a broken file), `sound_missing`,
 * `sound_unsupported` for sound that is not AAC and for fragments, `media_unavailable`, or the signal's reason
 */
export async function readMovie(source: ByteSource, signal: AbortSignal, head?: Buffer): Promise<Movie> {
  signal.throwIfAborted();
  const boxes = new TopLevelBoxes(source, head ?? (await source.read(0, headBytes, signal)), signal);
  for await (const box of boxes) {
    if (box.type !== 'moov') continue;
    const moov = await boxes.readTables(box);
    const sound = readSoundTrack(moov, { start: box.headerLength, end: moov.length }, source.size);
    return { size: source.size, head: boxes.head, bytesRead: boxes.bytesRead, sound };
  }
  throw invalid(`no 'moov'`);
}
