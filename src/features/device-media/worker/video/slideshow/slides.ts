import { chooseCanvas, mostPixels } from '../../../../../downloader/slideshow/plan.ts';
import type { Size } from '../../../video/plan-fit.ts';
import { contextOf } from '../canvas-sample.ts';

/** Width of the copy that is behind a picture of another form: the eye sees no more of it. */
const blurredWidth = 24;
/** How dark that copy is. */
const dimmed = 'rgb(0 0 0 / 40%)';

/** The pictures of a video, each drawn when it is its turn: one of them is decoded at a time. */
export type Slides = NonNullable<Awaited<ReturnType<typeof openSlides>>>;

/**
 * Reads the pictures' sizes, and leaves out what this browser cannot decode.
 * @returns null where there is none that it can
 */
export async function openSlides(pictures: readonly Blob[]) {
  const readable: { readonly picture: Blob; readonly size: Size }[] = [];
  for (const picture of pictures) {
    const size = await sizeOf(picture);
    if (size !== null) readable.push({ picture, size });
  }
  if (readable.length === 0) return null;
  return {
    count: readable.length,
    /** Of the video. */
    size: chooseCanvas(readable.map(({ size }) => fitting(size))),
    /** Draws a picture on all of the canvas. */
    async draw(index: number, canvas: OffscreenCanvas): Promise<void> {
      const { picture } = readable[index] ?? {};
      if (picture === undefined) throw new Error(`no picture ${index}`);
      const bitmap = await createImageBitmap(picture);
      drawFilled(bitmap, canvas);
      bitmap.close();
    },
  };
}

async function sizeOf(picture: Blob): Promise<Size | null> {
  try {
    const bitmap = await createImageBitmap(picture);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch (thrown) {
    // The video is made of the others, as by the server: for developers.
    console.debug('a picture of the slideshow', thrown);
    return null;
  }
}

/** A size within what a video has at most, as the server makes pictures. */
function fitting({ width, height }: Size): Size {
  const scale = Math.min(1, mostPixels.width / width, mostPixels.height / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Draws a picture as a whole, and around it a blurred and darker copy, where its form is another. */
function drawFilled(bitmap: ImageBitmap, canvas: OffscreenCanvas): void {
  const context = contextOf(canvas);
  const inside = placed(bitmap, canvas, Math.min);
  if (inside.width < canvas.width - 1 || inside.height < canvas.height - 1) {
    // Safari has no filters on canvases: a tiny copy is blurred by being enlarged.
    const small = new OffscreenCanvas(
      blurredWidth,
      Math.max(2, Math.round((blurredWidth * canvas.height) / canvas.width)),
    );
    const cover = placed(bitmap, small, Math.max);
    contextOf(small).drawImage(bitmap, cover.x, cover.y, cover.width, cover.height);
    context.drawImage(small, 0, 0, canvas.width, canvas.height);
    context.fillStyle = dimmed;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(bitmap, inside.x, inside.y, inside.width, inside.height);
}

/** Where a picture of the same form lies within, or around, a size. */
function placed(picture: Size, size: Size, choose: (one: number, other: number) => number) {
  const scale = choose(size.width / picture.width, size.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { width, height, x: (size.width - width) / 2, y: (size.height - height) / 2 };
}
