import { LRUCache } from 'lru-cache';
import type { Sharp } from 'sharp';
import { asFailure, Failure } from '../failures.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../posts/post.ts';
import { imageLibrary } from './image-library.ts';

/** No picture of the platform is larger; a larger one is not a picture. */
const maxBytes = 24 * 2 ** 20;
const maxPixels = 50e6;
const maxSecondsToConvert = 10;
const cacheBytes = 64 * 2 ** 20;

export interface PictureFile {
  readonly bytes: Buffer;
  readonly type: 'image/jpeg' | 'image/webp';
}

export interface Pictures {
  /**
   * A small WebP for a page, at most `width` pixels wide, kept in memory for the next asker.
   * @param key names the picture, whatever its present address is
   * @throws Failure `media_unavailable`, `media_invalid`, `platform_timeout`
   */
  preview(key: string, source: MediaSource, width: number): Promise<PictureFile>;
  /** The picture at its full size as JPEG: untouched when it is one already, converted otherwise. */
  jpeg(source: MediaSource, signal: AbortSignal): Promise<PictureFile>;
}

const isJpeg = (bytes: Buffer) => bytes.length > 3 && bytes.readUIntBE(0, 3) === 0xffd8ff;

async function open(bytes: Buffer): Promise<Sharp> {
  const sharp = await imageLibrary();
  return sharp(bytes, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' })
    .timeout({ seconds: maxSecondsToConvert })
    .rotate();
}

/** Makes the service that brings pictures through our own origin, so that no visitor's browser asks the platform. */
export function createPictures(network: PlatformNetwork): Pictures {
  const cache = new LRUCache<string, PictureFile>({
    maxSize: cacheBytes,
    sizeCalculation: (file) => file.bytes.length + 1,
  });
  const underWay = new Map<string, Promise<PictureFile>>();

  async function fetchPicture(source: MediaSource, signal: AbortSignal): Promise<Buffer> {
    const { body, length } = await network.openMedia({ source, start: 0, end: null, signal });
    try {
      if (length !== null && length > maxBytes)
        throw new Failure('media_invalid', { note: `picture of ${length} bytes` });
      const chunks: Buffer[] = [];
      let received = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received > maxBytes) throw new Failure('media_invalid', { note: 'endless picture' });
        chunks.push(chunk);
      }
      if (received === 0) throw new Failure('media_invalid', { note: 'empty picture' });
      return Buffer.concat(chunks);
    } catch (thrown) {
      throw asFailure(thrown, 'media_unavailable');
    } finally {
      body.destroy();
    }
  }

  async function convert(bytes: Buffer, make: (image: Sharp) => Sharp): Promise<Buffer> {
    try {
      return await make(await open(bytes)).toBuffer();
    } catch (thrown) {
      throw new Failure('media_invalid', { cause: thrown, note: 'not a picture' });
    }
  }

  async function makePreview(source: MediaSource, width: number): Promise<PictureFile> {
    const original = await fetchPicture(source, AbortSignal.timeout(15_000));
    const bytes = await convert(original, (image) =>
      image.resize({ width, withoutEnlargement: true }).webp({ quality: 78, effort: 2 }),
    );
    return { bytes, type: 'image/webp' };
  }

  return {
    async preview(key, source, width) {
      const name = `${key}/${width}`;
      const kept = cache.get(name);
      if (kept !== undefined) return kept;
      let made = underWay.get(name);
      if (made === undefined) {
        made = makePreview(source, width).finally(() => underWay.delete(name));
        underWay.set(name, made);
      }
      const file = await made;
      cache.set(name, file);
      return file;
    },

    async jpeg(source, signal) {
      const original = await fetchPicture(source, signal);
      if (isJpeg(original)) return { bytes: original, type: 'image/jpeg' };
      return {
        bytes: await convert(original, (image) => image.jpeg({ quality: 92, mozjpeg: true })),
        type: 'image/jpeg',
      };
    },
  };
}
