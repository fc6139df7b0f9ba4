import type { Sharp } from 'sharp';
import { openImage } from '../images/open-image.ts';
import type { PictureFile } from '../stores/contracts/picture-files.ts';

const formats = {
  avif: (picture: Sharp) => picture.avif({ quality: 55, effort: 3 }),
  webp: (picture: Sharp) => picture.webp({ quality: 78 }),
  jpg: (picture: Sharp) => picture.flatten({ background: '#ffffff' }).jpeg({ quality: 80, mozjpeg: true }),
};

/**
 * Makes a picture in all formats, plus the original.
 * @param widths pixels; larger ones are limited to the original's width
 */
export async function makeSizes(
  id: string,
  bytes: Buffer,
  widths: readonly number[],
): Promise<PictureFile[]> {
  const made: PictureFile[] = [{ id, width: 0, format: 'original', bytes }];
  for (const width of widths)
    for (const [format, encode] of Object.entries(formats)) {
      const { image } = await openImage(bytes);
      const picture = image.resize({ width, withoutEnlargement: true });
      made.push({ id, width, format, bytes: await encode(picture).toBuffer() });
    }
  return made;
}
