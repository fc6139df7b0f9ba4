import { LRUCache } from 'lru-cache';
import { asFailure, Failure } from '../../failures/failures.ts';
import { imageFormat } from '../../images/open-image.ts';
import { SingleFlight } from '../async/single-flight.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../posts/post.ts';
import { ByteBudget } from './byte-budget.ts';
import type { PictureProcesses } from './picture-processes.ts';

/** No picture of the platform is larger; a larger one is not a picture. */
const maxBytes = 24 * 2 ** 20;
/** Of all pictures that were fetched and are not sent or made smaller yet. */
const maxHeldBytes = 64 * 2 ** 20;
const patienceMs = 10_000;
const cacheBytes = 64 * 2 ** 20;

interface PictureFile {
  readonly bytes: Buffer;
  readonly type: 'image/jpeg' | 'image/webp';
}

/** A picture that takes its part of the memory for pictures until it is released. */
interface HeldPicture extends PictureFile {
  /** To be called once it has been sent, or is not wanted. */
  release(): void;
}

export interface Pictures {
  /**
   * A small WebP for a page, at most `width` pixels wide, kept in memory for the next caller.
   * @param key names the picture, whatever its present address is
   * @throws Failure `media_unavailable`, `media_invalid`, `platform_timeout`, `overloaded`
   */
  preview(key: string, source: MediaSource, width: number): Promise<PictureFile>;
  /** The picture at its full size as JPEG: untouched when it is one already, converted otherwise. */
  jpeg(source: MediaSource, signal: AbortSignal): Promise<HeldPicture>;
  /**
   * Reads no more than the beginning.
   * @throws Failure as `preview`, when the platform does not give the picture or gives something else
   */
  check(source: MediaSource, signal: AbortSignal): Promise<void>;
  /** The picture as a JPEG of at most this width. @throws Failure `media_invalid` */
  shrink(bytes: Buffer, width: number): Promise<Buffer>;
}

/** Enough to tell a picture by. */
const sniffedBytes = 12;

/** Makes the service that brings pictures through our own origin, so that no visitor's browser asks the platform. */
export function createPictures(
  network: Pick<PlatformNetwork, 'openMedia'>,
  processes: Pick<PictureProcesses, 'make'>,
): Pictures {
  const cache = new LRUCache<string, PictureFile>({
    maxSize: cacheBytes,
    sizeCalculation: (file) => file.bytes.length + 1,
  });
  const previews = new SingleFlight<PictureFile>();
  const budget = new ByteBudget(maxHeldBytes, patienceMs);

  /** @param end reads no more than this many bytes; null for the whole picture */
  async function fetchPicture(
    source: MediaSource,
    signal: AbortSignal,
    end: number | null = null,
  ): Promise<{ bytes: Buffer; release: () => void }> {
    const { body, length } = await network.openMedia({ source, start: 0, end, signal });
    let release = () => {};
    try {
      if (length !== null && length > maxBytes)
        throw new Failure('media_invalid', { note: `picture of ${length} bytes` });
      release = await budget.take(end ?? length ?? maxBytes, signal);
      const chunks: Buffer[] = [];
      let received = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received > maxBytes) throw new Failure('media_invalid', { note: 'endless picture' });
        chunks.push(chunk);
        // A server without ranges goes on after the end that it was asked for.
        if (end !== null && received > end) break;
      }
      const bytes = Buffer.concat(chunks);
      if (imageFormat(bytes) === null) {
        throw new Failure('media_invalid', { note: 'not a JPEG, PNG or WebP' });
      }
      return { bytes, release };
    } catch (thrown) {
      release();
      throw asFailure(thrown, 'media_unavailable');
    } finally {
      body.destroy();
    }
  }

  async function makePreview(source: MediaSource, width: number): Promise<PictureFile> {
    const { bytes, release } = await fetchPicture(source, AbortSignal.timeout(15_000));
    try {
      return { bytes: await processes.make({ bytes, as: 'webp', width, quality: 78 }), type: 'image/webp' };
    } finally {
      release();
    }
  }

  return {
    async preview(key, source, width) {
      const name = `${key}/${width}`;
      const kept = cache.get(name);
      if (kept !== undefined) return kept;
      // Whoever leaves leaves a preview behind that the next caller finds.
      return previews.run(name, new AbortController().signal, async () => {
        const file = await makePreview(source, width);
        cache.set(name, file);
        return file;
      });
    },

    async jpeg(source, signal) {
      const { bytes, release } = await fetchPicture(source, signal);
      if (imageFormat(bytes) === 'jpeg') return { bytes, type: 'image/jpeg', release };
      try {
        const made = await processes.make({ bytes, as: 'jpeg', width: null, quality: 92 });
        // Whoever left meanwhile would never release it.
        signal.throwIfAborted();
        return { bytes: made, type: 'image/jpeg', release };
      } catch (thrown) {
        release();
        throw thrown;
      }
    },

    async check(source, signal) {
      (await fetchPicture(source, signal, sniffedBytes)).release();
    },

    shrink: (bytes, width) => processes.make({ bytes, as: 'jpeg', width, quality: 80 }),
  };
}
