import { LRUCache } from 'lru-cache';
import { Failure } from '../../failures/failures.ts';
import { type HeifFormat, heifFormat, imageFormat } from '../../images/open-image.ts';
import { SingleFlight } from '../async/single-flight.ts';
import { atOnce, type TakeTurn } from '../async/turns.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../post/post.ts';
import { FileFetcher, isMp4, isPicture, sniffedBytes } from './file-fetcher.ts';
import type { MadePicture, PictureProcesses } from './picture-processes.ts';

/** The format of a picture: JPEG, or the platform's own when this machine cannot decode it. */
export type PictureType = 'image/jpeg' | `image/${HeifFormat}`;

/** A file that takes its part of the memory for pictures until it is released. */
export interface HeldFile<Type extends string = string> {
  readonly bytes: Buffer;
  readonly type: Type;
  /** Must be called when the file was sent or is not needed. */
  release(): void;
}

/** Pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const slideOfVideo = { as: 'jpeg', quality: 90, quick: true } as const;

/** The pictures and slides' videos of posts, and smaller copies of them. */
export type Pictures = ReturnType<typeof createPictures>;

/**
 * Creates the service that relays pictures through our own origin, so that visitors' browsers do not contact the
 * platform.
 */
export function createPictures(
  network: Pick<PlatformNetwork, 'openMedia'>,
  processes: Pick<PictureProcesses, 'make'>,
) {
  const files = new FileFetcher(network);

  async function convert(bytes: Buffer): Promise<{ bytes: Buffer; type: PictureType }> {
    try {
      const made = await processes.make({ bytes, as: 'jpeg', width: null, quality: 92 });
      return { bytes: made.bytes, type: 'image/jpeg' };
    } catch (thrown) {
      const format = heifFormat(bytes);
      if (format === null || !(thrown instanceof Failure)) throw thrown;
      return { bytes, type: `image/${format}` };
    }
  }

  /** The same as `jpeg`, but unchanged if it cannot be converted here. */
  async function picture(source: MediaSource, signal: AbortSignal): Promise<HeldFile<PictureType>> {
    const { bytes, release } = await files.fetch({ source, end: null, look: isPicture, signal });
    if (imageFormat(bytes) === 'jpeg') return { bytes, type: 'image/jpeg', release };
    try {
      const converted = await convert(bytes);
      // A caller that left meanwhile would never release it.
      signal.throwIfAborted();
      return { ...converted, release };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  return {
    preview: createPreviews(files, processes),
    picture,

    /** The picture at its full size as JPEG: untouched when it is one already, converted otherwise. */
    async jpeg(source: MediaSource, signal: AbortSignal): Promise<HeldFile<'image/jpeg'>> {
      const { bytes, type, release } = await picture(source, signal);
      if (type === 'image/jpeg') return { bytes, type, release };
      release();
      throw new Failure('media_invalid', { note: `no JPEG can be made of ${type}` });
    },

    /** The whole video of a slide. */
    async motion(source: MediaSource, signal: AbortSignal): Promise<HeldFile<'video/mp4'>> {
      const file = await files.fetch({ source, end: null, look: isMp4, signal });
      return { ...file, type: 'video/mp4' };
    },

    /**
     * Reads only the beginning if that is enough.
     * @returns the format that `picture` gives
     * @throws Failure as `preview`, when the platform does not deliver the picture or delivers something else
     */
    async check(source: MediaSource, signal: AbortSignal): Promise<PictureType> {
      const { bytes, release } = await files.fetch({ source, end: sniffedBytes, look: isPicture, signal });
      release();
      if (heifFormat(bytes) === null) return 'image/jpeg';
      // Only an attempt shows whether it can be converted.
      const whole = await picture(source, signal);
      whole.release();
      return whole.type;
    },

    /** Does so for `motion`. */
    async checkMotion(source: MediaSource, signal: AbortSignal): Promise<void> {
      (await files.fetch({ source, end: sniffedBytes, look: isMp4, signal })).release();
    },

    /** The picture as a JPEG of at most this width. @throws Failure `media_invalid` */
    shrink: async (bytes: Buffer, width: number): Promise<Buffer> =>
      (await processes.make({ bytes, as: 'jpeg', width, quality: 80 })).bytes,

    /**
     * The picture as a JPEG of at most these pixels, for a video. It is always re-encoded, so that only the picture
     * decoder sees the platform's bytes.
     * @throws Failure as `preview`
     */
    async slide(
      source: MediaSource,
      { width, height }: PictureSize,
      signal: AbortSignal,
    ): Promise<MadePicture> {
      const { bytes, release } = await files.fetch({ source, end: null, look: isPicture, signal });
      try {
        return await processes.make({ ...slideOfVideo, bytes, width, height });
      } finally {
        release();
      }
    },

    /** Such a JPEG with exactly these pixels; a blurred copy of the picture fills the rest. */
    fill: (bytes: Buffer, { width, height }: PictureSize): Promise<MadePicture> =>
      processes.make({ ...slideOfVideo, bytes, width, height, filled: true }),
  };
}

const cacheBytes = 64 * 2 ** 20;
const previewLimitMs = 15_000;

/** A picture for a page. */
interface PictureFile {
  readonly bytes: Buffer;
  readonly type: 'image/jpeg' | 'image/webp';
}

/** Makes small pictures for pages, and keeps them in memory for the next caller. */
function createPreviews(files: FileFetcher, processes: Pick<PictureProcesses, 'make'>) {
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
