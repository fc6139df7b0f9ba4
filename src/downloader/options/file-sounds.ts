import { LRUCache } from 'lru-cache';
import { Failure } from '../../failures/failures.ts';
import { SingleFlight } from '../async/single-flight.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import { atOnce, type TakeTurn } from '../async/turns.ts';
import type { AacConfig, ByteSource } from '../media/contracts.ts';
import type { Mp4IndexCache } from '../media/mp4-index-cache.ts';
import { sniffSound } from '../media/sniff-sound.ts';
import type { MediaSource } from '../post/post.ts';

/**
 * A file's sound according to its own tables: its encoding (and whether the file is a song and no video), absent, or
 * unusable; `lost` when the platform does not deliver the file, or delivers something else.
 */
export type FileSound =
  | { readonly config: AacConfig; readonly isSong: boolean }
  | 'silent'
  | 'unsupported'
  | 'mp3'
  | 'lost';

/** The formats that a sound can be given in; all for an unknown one. @param canEncode on this machine, to mp3 */
export function formatsOf(
  sound: FileSound | undefined,
  canEncode: (config: AacConfig) => boolean,
): readonly ('mp3' | 'm4a')[] {
  if (sound === 'mp3') return ['mp3'];
  return typeof sound !== 'object' || canEncode(sound.config) ? ['mp3', 'm4a'] : ['m4a'];
}

const rememberedFiles = 10_000;
/** An unavailable file is tried again after this. */
const lostForMs = 60_000;

/** The known sounds of files: their first kilobytes are read once for all callers. */
export class FileSounds {
  readonly #openSource: (source: MediaSource) => ByteSource;
  readonly #movies: Pick<Mp4IndexCache, 'read'>;
  readonly #found = new LRUCache<string, FileSound>({ max: rememberedFiles });
  readonly #fragmented = new LRUCache<string, true>({ max: rememberedFiles });
  readonly #looks = new SingleFlight<FileSound | null>();

  /** @param movies where tables are left for the conversion that may follow */
  constructor(openSource: (source: MediaSource) => ByteSource, movies: Pick<Mp4IndexCache, 'read'>) {
    this.#openSource = openSource;
    this.#movies = movies;
  }

  /** Undefined for a file that has not been read, or whose reading gave no result. */
  get(key: string): FileSound | undefined {
    return this.#found.get(key);
  }

  has(key: string): boolean {
    return this.#found.has(key);
  }

  /** Whether a look has told that a file is in fragments. */
  isFragmented(key: string): boolean {
    return this.#fragmented.has(key);
  }

  /**
   * Finds out what a file holds, if that can be found out in time.
   * @param file with a codec where it is a video
   * @param turn turns of whoever wants to know
   * @throws the signal's reason only
   */
  async look(
    key: string,
    file: { readonly source: MediaSource },
    waitMs: number,
    signal: AbortSignal,
    turn: TakeTurn = atOnce,
  ): Promise<void> {
    try {
      await withTimeLimit(waitMs, signal, (limited) =>
        this.#looks.run(key, limited, async (inner) => {
          const inFragments = () => this.#fragmented.set(key, true);
          const sound = await turn(inner, () => this.#read(file.source, inFragments, inner), true);
          // A missing video is reported on request; a missing sound may be replaced by another.
          const ttl = sound === 'lost' ? { ttl: lostForMs } : {};
          if (sound !== null && (sound !== 'lost' || !('codec' in file))) this.#found.set(key, sound, ttl);
          return sound;
        }),
      );
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof Failure)) throw thrown;
    }
  }

  async #read(media: MediaSource, inFragments: () => void, signal: AbortSignal): Promise<FileSound | null> {
    const source = this.#openSource(media);
    try {
      const { sound, head } = await this.#movies.read(media, source, signal, inFragments);
      return { config: sound.config, isSong: isSoundFile(head) };
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof Failure)) throw thrown;
      if (thrown.key === 'media_invalid') return (await isMp3(source, signal)) ? 'mp3' : 'lost';
      return readings[thrown.key] ?? null;
    }
  }
}

/** Looks at what is no mp4: a slideshow's song may stand where its video is expected. */
async function isMp3(source: ByteSource, signal: AbortSignal): Promise<boolean> {
  try {
    return (await sniffSound(source, signal)).kind === 'mp3';
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof Failure) return false;
    throw thrown;
  }
}

const readings: Partial<Record<Failure['key'], FileSound>> = {
  sound_missing: 'silent',
  sound_unsupported: 'unsupported',
  media_unavailable: 'lost',
};

/** Recognised by the brand of its `ftyp` box, which sound-only files have (ISO/IEC 14496-12, 4.3; Apple's `M4A `). */
const isSoundFile = (head: Buffer) => /^M4[AB] $/.test(head.toString('latin1', 8, 12));
