import { LRUCache } from 'lru-cache';
import type { MediaSource } from '../post/post.ts';
import type { ByteSource } from './contracts.ts';
import { lookAtMovie, type Movie, type MovieHead } from './mp4/read-movie.ts';

/** The tables of some 200 clips of a minute. */
const maxBytes = 24 * 2 ** 20;
/** Arrays of an offset and a size for each frame, and what an entry takes besides. */
const sampleBytes = 12;
const entryBytes = 1024;

/**
 * Caches the tables of recently read files: visitors often convert the sound of a post that they have just read, and
 * the tables need not be read again.
 */
export class Mp4IndexCache {
  /** Keyed by source object: a post that is read again has other sources. */
  readonly #movies = new LRUCache<MediaSource, Movie>({
    maxSize: maxBytes,
    sizeCalculation: ({ head, sound }) => head.length + sound.samples.count * sampleBytes + entryBytes,
  });

  /**
   * Reads what the head of a file says, and remembers its tables.
   * @param inFragments as of {@link lookAtMovie}
   * @throws as {@link lookAtMovie}
   */
  async read(
    media: MediaSource,
    source: ByteSource,
    signal: AbortSignal,
    inFragments?: () => void,
  ): Promise<MovieHead> {
    const found = await lookAtMovie(source, signal, inFragments);
    if (found.movie !== null) this.#movies.set(media, found.movie);
    return found;
  }

  /** Hands cached tables over once: if they belong to another file, the next reader reads them itself. */
  take(media: MediaSource): Movie | null {
    const movie = this.#movies.get(media) ?? null;
    this.#movies.delete(media);
    return movie;
  }
}
