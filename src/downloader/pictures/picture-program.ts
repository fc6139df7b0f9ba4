/**
 * Decodes and resizes pictures from outside, one at a time, as a process of its own: it can be ended whatever the decoder
 * does, and its threads, its memory and its priority are not those of the site.
 */
import { constants, setPriority } from 'node:os';
import sharp from 'sharp';
import { maxPixelsHeldWhole, openImage } from '../../images/open-image.ts';
import type { PictureAnswer, PictureTask } from './picture-tasks.ts';

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
sharp.concurrency(1);
sharp.cache(false);

async function make({ bytes, as, width, quality }: PictureTask): Promise<Buffer> {
  const { image } = await openImage(bytes, { maxPixelsTurned: maxPixelsHeldWhole, heic: true });
  const sized = width === null ? image : image.resize({ width, withoutEnlargement: true });
  const made = as === 'webp' ? sized.webp({ quality, effort: 2 }) : sized.jpeg({ quality, mozjpeg: true });
  return made.toBuffer();
}

process.on('message', (task: PictureTask) => {
  make(task)
    .then(
      (bytes): PictureAnswer => ({ bytes }),
      (error: unknown): PictureAnswer => ({
        refused: error instanceof Error ? error.message : String(error),
      }),
    )
    .then((answer) => process.send?.(answer));
});
// The site is gone.
process.on('disconnect', () => process.exit(0));
