import { LRUCache } from 'lru-cache';
import { asFailure, Failure } from '../../failures/failures.ts';
import { type HeifFormat, heifFormat, imageFormat } from '../../images/open-image.ts';
import { SingleFlight } from '../async/single-flight.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../posts/post.ts';
import { ByteBudget } from './byte-budget.ts';
import type { PictureProcesses } from './picture-processes.ts';
import type { MadePicture } from './picture-tasks.ts';

/** No picture of the platform is larger, nor a slide's few seconds of video; a larger file is something else. */
const maxBytes = 24 * 2 ** 20;
/** Of all files that were fetched and are not sent or made smaller yet. */
const maxHeldBytes = 64 * 2 ** 20;
const patienceMs = 10_000;
const cacheBytes = 64 * 2 ** 20;
/** A file that breaks off is asked for so often in all, and at each of its addresses at least once. */
const leastAttempts = 3;
const previewLimitMs = 15_000;

/** What a picture comes as: JPEG, or as the platform has it where nothing on this machine reads it. */
export type PictureType = 'image/jpeg' | `image/${HeifFormat}`;

interface PictureFile {
  readonly bytes: Buffer;
  readonly type: 'image/jpeg' | 'image/webp';
}

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

/** Enough to tell a picture or an mp4 by. */
const sniffedBytes = 12;

/** What bytes must be, or the reason why they are not. */
type Look = (bytes: Buffer) => string | null;

const isPicture: Look = (bytes) =>
  imageFormat(bytes) === null && heifFormat(bytes) === null ? 'not a picture' : null;
const isMp4: Look = (bytes) =>
  bytes.toString('latin1', 4, 8) === 'ftyp' && heifFormat(bytes) === null ? null : 'not an mp4';

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

  interface Fetch {
    readonly source: MediaSource;
    /** Reads no more than this many bytes; null for the whole file. */
    readonly end: number | null;
    readonly look: Look;
    readonly signal: AbortSignal;
  }

  type Fetched = { bytes: Buffer; release: () => void };

  /** One try. @param opened told which of the addresses answered */
  async function fetchOnce(
    { source, end, look, signal }: Fetch,
    opened: (mirror: number) => void,
  ): Promise<Fetched> {
    const { body, length, mirror } = await network.openMedia({ source, start: 0, end, signal });
    opened(mirror);
    let release = () => {};
    try {
      if (length !== null && length > maxBytes)
        throw new Failure('media_invalid', { note: `file of ${length} bytes` });
      release = await budget.take(end ?? length ?? maxBytes, signal);
      const chunks: Buffer[] = [];
      let received = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received > maxBytes) throw new Failure('media_invalid', { note: 'endless file' });
        chunks.push(chunk);
        // A server without ranges goes on after the end that it was asked for.
        if (end !== null && received > end) break;
      }
      const bytes = Buffer.concat(chunks);
      const fault = look(bytes);
      if (fault !== null) throw new Failure('media_invalid', { note: fault });
      return { bytes, release };
    } catch (thrown) {
      release();
      signal.throwIfAborted();
      throw asFailure(thrown, 'media_unavailable');
    } finally {
      body.destroy();
    }
  }

  /** Has a file from whichever of its addresses gives it whole, again from the first when each broke off. */
  async function fetchFile(fetch: Fetch): Promise<Fetched> {
    const { urls } = fetch.source;
    const attempts = Math.max(leastAttempts, urls.length);
    let first = 0;
    for (let attempt = 1; ; attempt++) {
      let wasOpened = false;
      const source = { ...fetch.source, urls: urls.slice(first) };
      try {
        return await fetchOnce({ ...fetch, source }, (mirror) => {
          wasOpened = true;
          first = (first + mirror + 1) % urls.length;
        });
      } catch (thrown) {
        const { key } = asFailure(thrown);
        // What every address refuses is not asked for again, and neither is what is wrong at each of them.
        const isOver = !wasOpened && source.urls.length === urls.length;
        const isWrongEverywhere = key === 'media_invalid' && first === 0;
        if (isOver || isWrongEverywhere || key === 'overloaded' || attempt >= attempts) throw thrown;
        fetch.signal.throwIfAborted();
        if (!wasOpened) first = 0;
      }
    }
  }

  async function makePreview(source: MediaSource, width: number): Promise<PictureFile> {
    const signal = AbortSignal.timeout(previewLimitMs);
    const { bytes, release } = await fetchFile({ source, end: null, look: isPicture, signal });
    try {
      const made = await processes.make({ bytes, as: 'webp', width, quality: 78 });
      return { bytes: made.bytes, type: 'image/webp' };
    } finally {
      release();
    }
  }

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
    const { bytes, release } = await fetchFile({ source, end: null, look: isPicture, signal });
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
      const { bytes, type, release } = await picture(source, signal);
      if (type === 'image/jpeg') return { bytes, type, release };
      release();
      throw new Failure('media_invalid', { note: `no JPEG can be made of ${type}` });
    },

    picture,

    async motion(source, signal) {
      const file = await fetchFile({ source, end: null, look: isMp4, signal });
      return { ...file, type: 'video/mp4' };
    },

    async check(source, signal) {
      const { bytes, release } = await fetchFile({ source, end: sniffedBytes, look: isPicture, signal });
      release();
      if (heifFormat(bytes) === null) return 'image/jpeg';
      // Whether it can be converted, only the attempt tells.
      const whole = await picture(source, signal);
      whole.release();
      return whole.type;
    },

    async checkMotion(source, signal) {
      (await fetchFile({ source, end: sniffedBytes, look: isMp4, signal })).release();
    },

    shrink: async (bytes, width) => (await processes.make({ bytes, as: 'jpeg', width, quality: 80 })).bytes,

    async slide(source, { width, height }, signal) {
      const { bytes, release } = await fetchFile({ source, end: null, look: isPicture, signal });
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
