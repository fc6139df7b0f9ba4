import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../async/single-flight.ts';
import type { TakeTurn } from '../async/turns.ts';
import type { MediaSource } from '../post/post.ts';
import type { FileFetcher } from './file-fetcher.ts';
import { isPicture } from './looks.ts';
import type { PictureProcesses } from './picture-processes.ts';

const cacheBytes = 64 * 2 ** 20;
const previewLimitMs = 15_000;

/** A picture for a page. */
export interface PictureFile {
  readonly bytes: Buffer;
  readonly type: 'image/jpeg' | 'image/webp';
}

/** Small pictures for pages, kept in memory for the next caller. */
export class Previews {
  readonly #files: FileFetcher;
  readonly #processes: Pick<PictureProcesses, 'make'>;
  readonly #kept = new LRUCache<string, PictureFile>({
    maxSize: cacheBytes,
    sizeCalculation: (file) => file.bytes.length + 1,
  });
  readonly #made = new SingleFlight<PictureFile>();

  constructor(files: FileFetcher, processes: Pick<PictureProcesses, 'make'>) {
    this.#files = files;
    this.#processes = processes;
  }

  /**
   * @param key identifies the picture independently of its present address
   * @param width pixels, at most
   * @param turn turns of whoever asks
   * @throws Failure `media_…`, `platform_timeout`, `overloaded`
   */
  async get(key: string, source: MediaSource, width: number, turn: TakeTurn): Promise<PictureFile> {
    const name = `${key}/${width}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    // A preview outlives a caller that leaves: the next caller finds it.
    return this.#made.run(name, new AbortController().signal, async () => {
      const file = await this.#make(source, width, turn);
      this.#kept.set(name, file);
      return file;
    });
  }

  async #make(source: MediaSource, width: number, turn: TakeTurn): Promise<PictureFile> {
    const signal = AbortSignal.timeout(previewLimitMs);
    const { bytes, release } = await turn(signal, () =>
      this.#files.fetch({ source, end: null, look: isPicture, signal }),
    );
    try {
      const made = await this.#processes.make({ bytes, as: 'webp', width, quality: 78 });
      return { bytes: made.bytes, type: 'image/webp' };
    } finally {
      release();
    }
  }
}
