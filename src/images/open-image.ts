import type sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Formats that are read: what cameras, authors and the platform use, and decoders that many eyes have looked at. */
type ReadFormat = 'jpeg' | 'png' | 'webp';
/** Formats in ISO boxes, recognised by their first bytes and hardly ever decoded. */
export type HeifFormat = 'avif' | 'heic';
/** Formats that only a process of its own decodes. */
type RareFormat = HeifFormat | 'gif';

/** Pixels of a picture that is decoded row after row. */
const maxPixels = 50e6;
/** Pixels of one that is held in memory whole while it is decoded. */
export const maxPixelsHeldWhole = 2 ** 24;

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

/** Lets a decoder work that no other process uses. @throws Error where the library has none: the prebuilt one lacks HEIC */
function allow(format: RareFormat, loaded: typeof sharp): void {
  if (format !== 'gif' && !loaded.format.heif.input.fileSuffix?.includes(`.${format}`))
    throw new Error(`no decoder of ${format}`);
  loaded.unblock({
    operation: [format === 'gif' ? 'VipsForeignLoadNsgifBuffer' : 'VipsForeignLoadHeifBuffer'],
  });
}

/** The format that a picture's first 12 bytes indicate; null for an unsupported one. */
export function imageFormat(bytes: Uint8Array): ReadFormat | null {
  const begin = latin1(bytes, 0, 12);
  if (begin.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  return begin.startsWith('RIFF') && begin.endsWith('WEBP') ? 'webp' : null;
}

/** Whether it is a GIF, by its first 6 bytes. */
export const isGif = (bytes: Uint8Array): boolean => /^GIF8[79]a/.test(latin1(bytes, 0, 6));

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

const rareFormat = (bytes: Uint8Array): RareFormat | null => (isGif(bytes) ? 'gif' : heifFormat(bytes));

export interface OpenImageOptions {
  /**
   * Pixel limit of a picture that must be rotated, which takes all of it in memory; the operator's own photographs may
   * be as large as unrotated ones.
   */
  readonly maxPixelsTurned?: number;
  /**
   * Reads AVIF, the first picture of a GIF, and HEIC too, where the library on this machine has their decoders: for a
   * process that may be ended at any time.
   */
  readonly rareFormats?: boolean;
}

/**
 * Opens an untrusted picture, upright, without decoding it yet.
 * @throws Error with the reason: another format than JPEG, PNG and WebP, damaged, or too large
 */
export async function openImage(
  bytes: Uint8Array,
  { maxPixelsTurned = maxPixels, rareFormats = false }: OpenImageOptions = {},
): Promise<{ image: Sharp; width: number; height: number }> {
  const usual = imageFormat(bytes);
  const rare = usual === null && rareFormats ? rareFormat(bytes) : null;
  if (usual === null && rare === null) throw new Error('not a JPEG, PNG or WebP');
  library ??= loadLibrary();
  const open = await library;
  if (rare !== null) allow(rare, open);
  const image = open(bytes, {
    limitInputPixels: maxPixels,
    sequentialRead: true,
    failOn: 'error',
  }).autoOrient();
  const { width, height, isProgressive, orientation = 1, autoOrient } = await image.metadata();
  const pixels = width * height;
  const isHeldWhole = usual === 'webp' || rare !== null || isProgressive === true;
  const most = Math.min(
    isHeldWhole ? maxPixelsHeldWhole : maxPixels,
    orientation === 1 ? maxPixels : maxPixelsTurned,
  );
  if (pixels > most) throw new Error(`${width}x${height} pixels`);
  return { image, ...autoOrient };
}
