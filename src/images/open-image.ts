import type sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Formats that are read: what cameras, authors and the platform use, and decoders that many eyes have looked at. */
type ImageFormat = 'jpeg' | 'png' | 'webp';

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

/** What the first bytes say that a picture is; null for anything that is not read here. */
export function imageFormat(bytes: Uint8Array): ImageFormat | null {
  const begin = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.byteLength)).toString(
    'latin1',
  );
  if (begin.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  return begin.startsWith('RIFF') && begin.endsWith('WEBP') ? 'webp' : null;
}

/**
 * Opens a picture from outside, upright, without decoding it yet.
 * @param maxPixelsTurned of one that has to be turned upright, which takes all of it in memory; the operator's own
 * photographs, as cameras write them, may be as large as others
 * @throws Error saying why it is not read: another format than JPEG, PNG and WebP, damaged, or too large
 */
export async function openImage(
  bytes: Uint8Array,
  maxPixelsTurned = maxPixels,
): Promise<{ image: Sharp; width: number; height: number }> {
  const format = imageFormat(bytes);
  if (format === null) throw new Error('not a JPEG, PNG or WebP');
  library ??= loadLibrary();
  const image = (await library)(bytes, {
    limitInputPixels: maxPixels,
    sequentialRead: true,
    failOn: 'error',
  }).autoOrient();
  const { width, height, isProgressive, orientation = 1, autoOrient } = await image.metadata();
  const pixels = width * height;
  const isHeldWhole = format === 'webp' || isProgressive === true;
  const most = Math.min(
    isHeldWhole ? maxPixelsHeldWhole : maxPixels,
    orientation === 1 ? maxPixels : maxPixelsTurned,
  );
  if (pixels > most) throw new Error(`${width}x${height} pixels`);
  return { image, ...autoOrient };
}
