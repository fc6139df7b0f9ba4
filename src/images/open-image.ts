import type sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Formats that are read: what cameras, authors and the platform use, and decoders that many eyes have looked at. */
type ReadFormat = 'jpeg' | 'png' | 'webp';
/** Formats in ISO boxes, recognised by their first bytes and hardly ever decoded. */
export type HeifFormat = 'avif' | 'heic';

/** Pixels of a picture that is decoded row after row. */
const maxPixels = 50e6;
/** Pixels of one that is held in memory whole while it is decoded. */
export const maxPixelsHeldWhole = 12e6;

let library: Promise<typeof sharp> | null = null;

/** Loaded with the first picture: it is large, and most starts and commands do not need it. */
async function loadLibrary(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  // Whatever bytes pretend to be, only these decoders process them.
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  });
  return loaded;
}

const latin1 = (bytes: Uint8Array, start: number, end: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);

/** The prebuilt library reads only AVIF by this decoder. @throws Error where it does not read HEIC */
function allowHeic(loaded: typeof sharp): void {
  if (!loaded.format.heif.input.fileSuffix?.includes('.heic')) throw new Error('no decoder of HEIC');
  loaded.unblock({ operation: ['VipsForeignLoadHeifBuffer'] });
}

/** The format that a picture's first 12 bytes indicate; null for an unsupported one. */
export function imageFormat(bytes: Uint8Array): ReadFormat | null {
  const begin = latin1(bytes, 0, 12);
  if (begin.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  return begin.startsWith('RIFF') && begin.endsWith('WEBP') ? 'webp' : null;
}

/** A longer list of brands is not read to its end. */
const maxBrandsEnd = 64;

/**
 * The format of an ISO box file, by the brands of its `ftyp` box (ISO/IEC 23008-12, 10; AVIF 1.1, 6); null for anything
 * else. The first 12 bytes only show that it is one of these formats. `mif1` alone is ambiguous: most such files are
 * HEIC.
 */
export function heifFormat(bytes: Uint8Array): HeifFormat | null {
  if (latin1(bytes, 4, 8) !== 'ftyp') return null;
  const size = Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32BE();
  const brands = latin1(bytes, 8, Math.min(size, maxBrandsEnd)).match(/.{4}/gs) ?? [];
  // The second "brand" is the minor version.
  brands.splice(1, 1);
  if (brands.some((brand) => /^avi[fs]$/.test(brand))) return 'avif';
  return brands.some((brand) => /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand)) ? 'heic' : null;
}

export interface OpenImageOptions {
  /**
   * Pixel limit of a picture that must be rotated, which takes all of it in memory; the operator's own photographs may
   * be as large as unrotated ones.
   */
  readonly maxPixelsTurned?: number;
  /** Reads HEIC too, where the library on this machine has a decoder: for a process that may be ended at any time. */
  readonly heic?: boolean;
}

/**
 * Opens an untrusted picture, upright, without decoding it yet.
 * @throws Error with the reason: another format than JPEG, PNG and WebP, damaged, or too large
 */
export async function openImage(
  bytes: Uint8Array,
  { maxPixelsTurned = maxPixels, heic = false }: OpenImageOptions = {},
): Promise<{ image: Sharp; width: number; height: number }> {
  const format = imageFormat(bytes) ?? (heic && heifFormat(bytes) === 'heic' ? 'heic' : null);
  if (format === null) throw new Error('not a JPEG, PNG or WebP');
  library ??= loadLibrary();
  const open = await library;
  if (format === 'heic') allowHeic(open);
  const image = open(bytes, {
    limitInputPixels: maxPixels,
    sequentialRead: true,
    failOn: 'error',
  }).autoOrient();
  const { width, height, isProgressive, orientation = 1, autoOrient } = await image.metadata();
  const pixels = width * height;
  const isHeldWhole = format === 'webp' || format === 'heic' || isProgressive === true;
  const most = Math.min(
    isHeldWhole ? maxPixelsHeldWhole : maxPixels,
    orientation === 1 ? maxPixels : maxPixelsTurned,
  );
  if (pixels > most) throw new Error(`${width}x${height} pixels`);
  return { image, ...autoOrient };
}
