import type sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Formats that are read: what cameras, authors and the platform use, and decoders that many eyes have looked at. */
type ReadFormat = 'jpeg' | 'png' | 'webp';
/** Pictures in ISO boxes, which are told by their first bytes and hardly ever decoded. */
export type HeifFormat = 'avif' | 'heic';

/** Pixels of a picture that is decoded row after row. */
const maxPixels = 50e6;
/** Pixels of one that is held in memory whole while it is decoded. */
export const maxPixelsHeldWhole = 12e6;

let library: Promise<typeof sharp> | null = null;

/** Loaded when the first picture comes: it is large, and most starts and commands need none of it. */
async function loadLibrary(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  // Whatever bytes pretend to be, no other decoder than these ever sees them.
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

/** What the first 12 bytes say that a picture is; null for anything that is not read here. */
export function imageFormat(bytes: Uint8Array): ReadFormat | null {
  const begin = latin1(bytes, 0, 12);
  if (begin.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  return begin.startsWith('RIFF') && begin.endsWith('WEBP') ? 'webp' : null;
}

/** A longer list of brands is not read to its end. */
const maxBrandsEnd = 64;

/**
 * Which of the formats in ISO boxes a picture is, by the brands of its `ftyp` box (ISO/IEC 23008-12, 10; AVIF 1.1, 6);
 * null for anything else. The first 12 bytes say that it is one of them. `mif1` alone does not say which: most are HEIC.
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
   * Pixels of one that has to be turned upright, which takes all of it in memory; the operator's own photographs, as
   * cameras write them, may be as large as others.
   */
  readonly maxPixelsTurned?: number;
  /** Reads HEIC too, where the library on this machine has a decoder: for a process that may be ended at any time. */
  readonly heic?: boolean;
}

/**
 * Opens a picture from outside, upright, without decoding it yet.
 * @throws Error saying why it is not read: another format than JPEG, PNG and WebP, damaged, or too large
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
