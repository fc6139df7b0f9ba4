import { Failure } from '../../failures/failures.ts';
import { type HeifFormat, heifFormat, imageFormat } from '../../images/open-image.ts';
import { atOnce, type TakeTurn } from '../async/turns.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../post/post.ts';
import { FileFetcher } from './file-fetcher.ts';
import { isMp4, isPicture, sniffedBytes } from './looks.ts';
import type { PictureProcesses } from './picture-processes.ts';
import type { MadePicture } from './picture-tasks.ts';
import { type PictureFile, Previews } from './previews.ts';

/** The format of a picture: JPEG, or the platform's own when this machine cannot decode it. */
export type PictureType = 'image/jpeg' | `image/${HeifFormat}`;

/** A file that takes its part of the memory for pictures until it is released. */
export interface HeldFile<Type extends string = string> {
  readonly bytes: Buffer;
  readonly type: Type;
  /** Must be called when the file was sent or is not needed. */
  release(): void;
}

export interface Pictures {
  /**
   * A small WebP for a page, at most `width` pixels wide, cached in memory.
   * @param key identifies the picture independently of its present address
   * @param turn turns of whoever asks; fetched at once without them
   * @throws Failure `media_unavailable`, `media_invalid`, `platform_timeout`, `overloaded`
   */
  preview(key: string, source: MediaSource, width: number, turn?: TakeTurn): Promise<PictureFile>;
  /** The picture at its full size as JPEG: untouched when it is one already, converted otherwise. */
  jpeg(source: MediaSource, signal: AbortSignal): Promise<HeldFile<'image/jpeg'>>;
  /** The same as `jpeg`, but unchanged if it cannot be converted here. */
  picture(source: MediaSource, signal: AbortSignal): Promise<HeldFile<PictureType>>;
  /** The whole video of a slide. */
  motion(source: MediaSource, signal: AbortSignal): Promise<HeldFile<'video/mp4'>>;
  /**
   * Reads only the beginning if that is enough.
   * @returns the format that `picture` gives
   * @throws Failure as `preview`, when the platform does not deliver the picture or delivers something else
   */
  check(source: MediaSource, signal: AbortSignal): Promise<PictureType>;
  /** Does so for `motion`. */
  checkMotion(source: MediaSource, signal: AbortSignal): Promise<void>;
  /** The picture as a JPEG of at most this width. @throws Failure `media_invalid` */
  shrink(bytes: Buffer, width: number): Promise<Buffer>;
  /**
   * The picture as a JPEG of at most these pixels, for a video. It is always re-encoded, so that only the picture
   * decoder sees the platform's bytes.
   * @throws Failure as `preview`
   */
  slide(source: MediaSource, most: PictureSize, signal: AbortSignal): Promise<MadePicture>;
  /** Such a JPEG with exactly these pixels; a blurred copy of the picture fills the rest. */
  fill(bytes: Buffer, size: PictureSize): Promise<MadePicture>;
}

/** Pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const slideOfVideo = { as: 'jpeg', quality: 90, quick: true } as const;

/** Fetches whole pictures, as JPEG where this machine can decode them. */
class PictureFetcher {
  readonly #files: FileFetcher;
  readonly #processes: Pick<PictureProcesses, 'make'>;

  constructor(files: FileFetcher, processes: Pick<PictureProcesses, 'make'>) {
    this.#files = files;
    this.#processes = processes;
  }

  async fetch(source: MediaSource, signal: AbortSignal): Promise<HeldFile<PictureType>> {
    const { bytes, release } = await this.#files.fetch({ source, end: null, look: isPicture, signal });
    if (imageFormat(bytes) === 'jpeg') return { bytes, type: 'image/jpeg', release };
    try {
      const converted = await this.#convert(bytes);
      // A caller that left meanwhile would never release it.
      signal.throwIfAborted();
      return { ...converted, release };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  async #convert(bytes: Buffer): Promise<{ bytes: Buffer; type: PictureType }> {
    try {
      const made = await this.#processes.make({ bytes, as: 'jpeg', width: null, quality: 92 });
      return { bytes: made.bytes, type: 'image/jpeg' };
    } catch (thrown) {
      const format = heifFormat(bytes);
      if (format === null || !(thrown instanceof Failure)) throw thrown;
      return { bytes, type: `image/${format}` };
    }
  }
}

/**
 * Creates the service that relays pictures through our own origin, so that visitors' browsers do not contact the
 * platform.
 */
export function createPictures(
  network: Pick<PlatformNetwork, 'openMedia'>,
  processes: Pick<PictureProcesses, 'make'>,
): Pictures {
  const files = new FileFetcher(network);
  const previews = new Previews(files, processes);
  const pictures = new PictureFetcher(files, processes);

  return {
    preview: (key, source, width, turn = atOnce) => previews.get(key, source, width, turn),

    async jpeg(source, signal) {
      const { bytes, type, release } = await pictures.fetch(source, signal);
      if (type === 'image/jpeg') return { bytes, type, release };
      release();
      throw new Failure('media_invalid', { note: `no JPEG can be made of ${type}` });
    },

    picture: (source, signal) => pictures.fetch(source, signal),

    async motion(source, signal) {
      const file = await files.fetch({ source, end: null, look: isMp4, signal });
      return { ...file, type: 'video/mp4' };
    },

    async check(source, signal) {
      const { bytes, release } = await files.fetch({ source, end: sniffedBytes, look: isPicture, signal });
      release();
      if (heifFormat(bytes) === null) return 'image/jpeg';
      // Only an attempt shows whether it can be converted.
      const whole = await pictures.fetch(source, signal);
      whole.release();
      return whole.type;
    },

    async checkMotion(source, signal) {
      (await files.fetch({ source, end: sniffedBytes, look: isMp4, signal })).release();
    },

    shrink: async (bytes, width) => (await processes.make({ bytes, as: 'jpeg', width, quality: 80 })).bytes,

    async slide(source, { width, height }, signal) {
      const { bytes, release } = await files.fetch({ source, end: null, look: isPicture, signal });
      try {
        return await processes.make({ ...slideOfVideo, bytes, width, height });
      } finally {
        release();
      }
    },

    fill: (bytes, { width, height }) =>
      processes.make({ ...slideOfVideo, bytes, width, height, filled: true }),
  };
}
