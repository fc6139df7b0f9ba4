import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../async/single-flight.ts';
import { atOnce, type TakeTurn } from '../async/turns.ts';
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

/** Makes small pictures for pages, and keeps them in memory for the next caller. */
export function createPreviews(files: FileFetcher, processes: Pick<PictureProcesses, 'make'>) {
  const kept = new LRUCache<string, PictureFile>({
    maxSize: cacheBytes,
    sizeCalculation: (file) => file.bytes.length + 1,
  });
  const made = new SingleFlight<PictureFile>();

  async function make(source: MediaSource, width: number, turn: TakeTurn): Promise<PictureFile> {
    const signal = AbortSignal.timeout(previewLimitMs);
    const { bytes, release } = await turn(signal, () =>
      files.fetch({ source, end: null, look: isPicture, signal }),
    );
    try {
      const webp = await processes.make({ bytes, as: 'webp', width, quality: 78 });
      return { bytes: webp.bytes, type: 'image/webp' };
    } finally {
      release();
    }
  }

  /**
   * A small WebP for a page, at most `width` pixels wide.
   * @param key identifies the picture independently of its present address
   * @param turn turns of whoever asks; fetched at once without them
   * @throws Failure `media_unavailable`, `media_invalid`, `platform_timeout`, `overloaded`
   */
  return async (
    key: string,
    source: MediaSource,
    width: number,
    turn: TakeTurn = atOnce,
  ): Promise<PictureFile> => {
    const name = `${key}/${width}`;
    // A preview outlives a caller that leaves: the next caller finds it.
    return (
      kept.get(name) ??
      made.run(name, new AbortController().signal, async () => {
        const file = await make(source, width, turn);
        kept.set(name, file);
        return file;
      })
    );
  };
}
