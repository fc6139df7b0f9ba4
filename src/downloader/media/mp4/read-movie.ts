import { Failure } from '../../../failures/failures.ts';
import type { ByteSource } from '../contracts.ts';
import { child, invalid } from './boxes.ts';
import { readSampleDefaults } from './fragment.ts';
import { readFragmentIndex } from './fragment-index.ts';
import { maxAacFrameBytes, readSampleTable, type SampleTable } from './sample-table.ts';
import { describeSound, type SoundDescription, type SoundTrackTable, soundTable } from './sound-track.ts';
import { headBytes, TopLevelBoxes } from './top-level-boxes.ts';
import { findTrack } from './track.ts';

/** The sound of an mp4. */
export interface Movie {
  /** File size in bytes; null when the source did not say. */
  readonly size: number | null;
  /** False when the server answered the reads of the tables with the whole file. */
  readonly hasRanges: boolean;
  /** The file's first bytes, as far as they were read: small sounds may lie in them. */
  readonly head: Buffer;
  /** Bytes that reading the tables took. */
  readonly bytesRead: number;
  readonly sound: SoundTrackTable;
}

/** The facts about the sound in the head of an mp4. */
export interface MovieHead {
  readonly head: Buffer;
  readonly sound: Pick<SoundTrackTable, 'config'>;
  /** Null for a fragmented sound: its positions are spread over the whole file. */
  readonly movie: Movie | null;
}

/**
 * Finds the sound of an mp4 with few bounded reads: the head of the file, and the `moov` box wherever it is. Neither
 * the number of boxes nor any claimed size can make it read or keep more than 16 MB. A fragmented file with sound only
 * is read as a whole.
 * @param head the file's first bytes when the caller has them already
 * @throws Failure `media_invalid` when it is no mp4 (a playlist, a page, a broken file), `sound_missing`,
 *   `sound_unsupported` for sound other than AAC and for fragments of sound and picture, `media_unavailable`, or the
 *   signal's reason
 */
export async function readMovie(source: ByteSource, signal: AbortSignal, head?: Buffer): Promise<Movie> {
  const found = await readSound(source, signal, head);
  return found.isFragmented ? readFragments(source, found, signal) : movieOf(source, found);
}

/**
 * Reads what an mp4 says of its sound, without reading a sound in fragments.
 * @param inFragments told that the file is in fragments, also where this throws
 * @throws as {@link readMovie}
 */
export async function lookAtMovie(
  source: ByteSource,
  signal: AbortSignal,
  inFragments?: () => void,
): Promise<MovieHead> {
  const found = await readSound(source, signal, undefined, inFragments);
  const movie = found.isFragmented ? null : movieOf(source, found);
  return { head: found.boxes.head, sound: found.description, movie };
}

interface FoundSound {
  readonly boxes: TopLevelBoxes;
  readonly moov: Buffer;
  /** The content of `moov`. */
  readonly root: { readonly start: number; readonly end: number };
  readonly description: SoundDescription;
  readonly isFragmented: boolean;
}

async function readSound(
  source: ByteSource,
  signal: AbortSignal,
  head?: Buffer,
  inFragments?: () => void,
): Promise<FoundSound> {
  signal.throwIfAborted();
  const boxes = new TopLevelBoxes(source, head ?? (await source.read(0, headBytes, signal)), signal);
  for await (const box of boxes) {
    if (box.type !== 'moov') continue;
    const moov = await boxes.readTables(box);
    const root = { start: box.headerLength, end: moov.length };
    const isFragmented = child(moov, root, 'mvex') !== null;
    if (isFragmented) inFragments?.();
    const description = describeSound(moov, root);
    // Reading all of a video for its sound is not worth it.
    if (isFragmented && findTrack(moov, root, 'vide') !== null)
      throw new Failure('sound_unsupported', { note: 'fragmented' });
    return { boxes, moov, root, description, isFragmented };
  }
  throw invalid(`no 'moov'`);
}

function movieOf(source: ByteSource, { boxes, description }: FoundSound): Movie {
  const { head, bytesRead } = boxes;
  const samples = ownSamples(description, source.size);
  return movieWith(source, head, bytesRead, soundTable(description, samples));
}

const movieWith = (
  { size, hasRanges }: ByteSource,
  head: Buffer,
  bytesRead: number,
  sound: SoundTrackTable,
): Movie => ({ size, hasRanges, head, bytesRead, sound });

function ownSamples({ track }: SoundDescription, fileSize: number | null): SampleTable {
  return readSampleTable(track.moov, track.stbl, fileSize, maxAacFrameBytes);
}

/** The frames that the tables describe, if any, and then those of fragments. */
async function readFragments(source: ByteSource, found: FoundSound, signal: AbortSignal): Promise<Movie> {
  const { boxes, moov, root, description } = found;
  for await (const box of boxes) {
    if (box.type !== 'moof') continue;
    const index = await readFragmentIndex({
      source,
      head: boxes.head,
      start: box.at,
      trackId: description.track.id,
      defaults: readSampleDefaults(moov, root),
      signal,
    });
    const samples = joinTables(ownSamples(description, box.at), index.samples);
    const { head } = boxes;
    const bytesRead = boxes.bytesRead + index.bytesRead;
    return movieWith(source, head, bytesRead, soundTable(description, samples));
  }
  return movieOf(source, found);
}

function joinTables(one: SampleTable, other: SampleTable): SampleTable {
  if (one.count === 0) return other;
  const count = one.count + other.count;
  const [offsets, sizes] = [new Float64Array(count), new Uint32Array(count)];
  offsets.set(one.offsets);
  offsets.set(other.offsets, one.count);
  sizes.set(one.sizes);
  sizes.set(other.sizes, one.count);
  return { count, offsets, sizes, bytes: one.bytes + other.bytes };
}
