/**
 * Decodes and resizes untrusted pictures, one at a time, in its own process: it can be killed whatever the decoder
 * does, and has its own threads, memory and priority.
 */
import { constants, setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { maxPixelsHeldWhole, openImage } from '../../images/open-image.ts';
import type { MadePicture, PictureAnswer, PictureTask } from './picture-processes.ts';

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
sharp.concurrency(1);
sharp.cache(false);

/** Memory of the whole process. 16 megapixels take some 380 MB; a file's head may understate its pixels. */
const maxResidentBytes = 768 * 2 ** 20;
const memoryCheckMs = 20;

/** Width of the copy that is blurred: the eye sees no more of it. */
const blurredWidth = 48;

/** Puts a picture before a blurred and darker copy of it that has exactly these pixels. */
async function fill(image: Sharp, width: number, height: number): Promise<Sharp> {
  const { data, info } = await image
    .resize({ width, height, fit: 'inside' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const small = await sharp(data, { raw })
    .resize({ width: blurredWidth, height: Math.round((blurredWidth * height) / width), fit: 'cover' })
    .blur(2)
    .modulate({ brightness: 0.6 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: smallWidth, height: smallHeight, channels } = small.info;
  const behind = await sharp(small.data, { raw: { width: smallWidth, height: smallHeight, channels } })
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  return sharp(behind, { raw: { width, height, channels } }).composite([{ input: data, raw }]);
}

/** Whether the thorough encoder is done with a picture well within the limit of a task. */
const isSmall = ({ width, height }: { width: number; height: number }) => width * height <= 8e6;

async function make(task: PictureTask): Promise<MadePicture> {
  const { bytes, as, width, height, quality, filled = false, quick = false } = task;
  const { image, ...size } = await openImage(bytes, {
    maxPixelsTurned: maxPixelsHeldWhole,
    rareFormats: true,
  });
  const sized =
    width === null
      ? image
      : filled && height !== undefined
        ? await fill(image, width, height)
        : image.resize({
            width,
            ...(height !== undefined && { height }),
            fit: 'inside',
            withoutEnlargement: true,
          });
  const made =
    as === 'webp'
      ? sized.webp({ quality, effort: 2 })
      : sized.jpeg({ quality, mozjpeg: !quick && (width !== null || isSmall(size)) });
  const { data, info } = await made.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

process.on('message', (task: PictureTask) => {
  // Decoders run in threads of their own, which only the end of the process stops.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, 'SIGKILL');
  }, memoryCheckMs);
  make(task)
    .then(
      (made): PictureAnswer => made,
      (error: unknown): PictureAnswer => ({
        refused: error instanceof Error ? error.message : String(error),
      }),
    )
    .then((answer) => {
      clearInterval(watch);
      process.send?.(answer);
    });
});
// The site is gone.
process.on('disconnect', () => process.exit(0));
