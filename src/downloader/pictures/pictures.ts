import { Failure } from '../../failures/failures.ts';
import { type HeifFormat, heifFormat, imageFormat } from '../../images/open-image.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../posts/post.ts';
import { FileFetcher } from './file-fetcher.ts';
import { isMp4, isPicture, sniffedBytes } from './looks.ts';
import type { PictureProcesses } from './picture-processes.ts';
import type { MadePicture } from './picture-tasks.ts';
import { type PictureFile, Previews } from './previews.ts';

/** What a picture comes as: JPEG, or as the platform has it where nothing on this machine reads it. */
export type PictureType = 'image/jpeg' | `image/${HeifFormat}`;

/** A file that takes its part of the memory for pictures until it is released. */
export interface HeldFile<Type extends string = string> {
  readonly bytes: Buffer;
  readonly type: Type;
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
  jpeg(source: MediaSource, signal: AbortSignal): Promise<HeldFile<'image/jpeg'>>;
  /** The same, and as it is where it cannot be converted here. */
  picture(source: MediaSource, signal: AbortSignal): Promise<HeldFile<PictureType>>;
  /** The whole video of a slide. */
  motion(source: MediaSource, signal: AbortSignal): Promise<HeldFile<'video/mp4'>>;
  /**
   * Reads no more than the beginning where that is enough to tell.
   * @returns what `picture` gives
   * @throws Failure as `preview`, when the platform does not give the picture or gives something else
   */
  check(source: MediaSource, signal: AbortSignal): Promise<PictureType>;
  /** The same of `motion`. */
  checkMotion(source: MediaSource, signal: AbortSignal): Promise<void>;
  /** The picture as a JPEG of at most this width. @throws Failure `media_invalid` */
  shrink(bytes: Buffer, width: number): Promise<Buffer>;
  /**
   * The picture as a JPEG of at most these pixels, for a video. It is made anew in any case, so that no program but the
   * decoder of pictures sees bytes of the platform.
   * @throws Failure as `preview`
   */
  slide(source: MediaSource, most: PictureSize, signal: AbortSignal): Promise<MadePicture>;
  /** Such a JPEG with exactly these pixels, the picture's own blurred where it leaves some free. */
  fill(bytes: Buffer, size: PictureSize): Promise<MadePicture>;
}

/** Pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const slideOfVideo = { as: 'jpeg', quality: 90, quick: true } as const;

/** Makes the service that brings pictures through our own origin, so that no visitor's browser asks the platform. */
export function createPictures(
  network: Pick<PlatformNetwork, 'openMedia'>,
  processes: Pick<PictureProcesses, 'make'>,
): Pictures {
  const files = new FileFetcher(network);
  const previews = new Previews(files, processes);

  async function asJpeg(bytes: Buffer): Promise<{ bytes: Buffer; type: PictureType }> {
    try {
      const made = await processes.make({ bytes, as: 'jpeg', width: null, quality: 92 });
      return { bytes: made.bytes, type: 'image/jpeg' };
    } catch (thrown) {
      const format = heifFormat(bytes);
      if (format === null || !(thrown instanceof Failure)) throw thrown;
      return { bytes, type: `image/${format}` };
    }
  }

  async function picture(source: MediaSource, signal: AbortSignal): Promise<HeldFile<PictureType>> {
    const { bytes, release } = await files.fetch({ source, end: null, look: isPicture, signal });
    if (imageFormat(bytes) === 'jpeg') return { bytes, type: 'image/jpeg', release };
    try {
      const made = await asJpeg(bytes);
      // Whoever left meanwhile would never release it.
      signal.throwIfAborted();
      return { ...made, release };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  return {
    preview: (key, source, width) => previews.get(key, source, width),

    async jpeg(source, signal) {
      const { bytes, type, release } = await picture(source, signal);
      if (type === 'image/jpeg') return { bytes, type, release };
      release();
      throw new Failure('media_invalid', { note: `no JPEG can be made of ${type}` });
    },

    picture,

    async motion(source, signal) {
      const file = await files.fetch({ source, end: null, look: isMp4, signal });
      return { ...file, type: 'video/mp4' };
    },

    async check(source, signal) {
      const { bytes, release } = await files.fetch({ source, end: sniffedBytes, look: isPicture, signal });
      release();
      if (heifFormat(bytes) === null) return 'image/jpeg';
      // Whether it can be converted, only the attempt tells.
      const whole = await picture(source, signal);
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
