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

interface PictureFile {
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
  /**
   * Reads no more than the beginning.
   * @throws Failure as `preview`, when the platform does not give the picture or gives something else
   */
  check(source: MediaSource, signal: AbortSignal): Promise<void>;
}

const isJpeg = (bytes: Buffer) => bytes.length > 3 && bytes.readUIntBE(0, 3) === 0xffd8ff;

/** Enough to tell by; how JPEG, PNG, GIF, WebP and the ISO formats (AVIF, HEIC) begin. */
const sniffedBytes = 12;
const beginnings = /^(?:\xff\xd8\xff|\x89PNG\r\n|GIF8|RIFF.{4}WEBP|.{4}ftyp)/s;

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

  /** @param end reads no more than this many bytes; null for the whole picture */
  async function fetchPicture(
    source: MediaSource,
    signal: AbortSignal,
    end: number | null = null,
  ): Promise<Buffer> {
    const { body, length } = await network.openMedia({ source, start: 0, end, signal });
    try {
      if (length !== null && length > maxBytes)
        throw new Failure('media_invalid', { note: `picture of ${length} bytes` });
      const chunks: Buffer[] = [];
      let received = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received > maxBytes) throw new Failure('media_invalid', { note: 'endless picture' });
        chunks.push(chunk);
        // A server without ranges goes on after the end that it was asked for.
        if (end !== null && received > end) break;
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

    async check(source, signal) {
      const beginning = await fetchPicture(source, signal, sniffedBytes);
      if (!beginnings.test(beginning.toString('latin1')))
        throw new Failure('media_invalid', { note: 'does not begin like a picture' });
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
