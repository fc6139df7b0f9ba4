import {
  chooseCanvas,
  fadingRate,
  mostPixels,
  restingStep,
  type SlideTiming,
} from '../../../../../downloader/slideshow/plan.ts';
import type { Size } from '../../../video/video-plan.ts';
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

/** A frame of a video. */
export interface PlannedFrame {
  /** Seconds. */
  readonly atS: number;
  readonly durationS: number;
  /** The picture that is seen, counted from 0. */
  readonly slide: number;
  /** How much of the next one is seen, from 0 to below 1. */
  readonly next: number;
}

/** Sums of fractions are not exact. */
const tolerance = 1e-6;

/**
 * The frames of a video: as many in a cross-fade, and as few while a picture rests, as in the server's
 * (`downloader/slideshow/`).
 * @param count of pictures, at least 1
 */
export function* planFrames(
  count: number,
  { durationS, eachS, fadeS }: SlideTiming,
): Generator<PlannedFrame> {
  const last = Math.max(0, Math.ceil(durationS * fadingRate - tolerance) - 1);
  const at = (n: number) => n / fadingRate;
  /** The middle of the cross-fade that is nearest. */
  const nearest = (atS: number) => Math.round(atS / eachS);
  const isNeeded = (n: number) => {
    if (n % restingStep === 0 || n === last) return true;
    const fade = nearest(at(n));
    const margin = fadeS / 2 + 1 / fadingRate;
    return fade > 0 && fade < count && Math.abs(at(n) - fade * eachS) < margin;
  };
  for (let n = 0; n <= last; ) {
    let following = n + 1;
    while (following <= last && !isNeeded(following)) following += 1;
    const atS = at(n);
    const endS = following > last ? durationS : at(following);
    yield { atS, durationS: endS - atS, ...seenAt(atS) };
    n = following;
  }

  function seenAt(atS: number): Pick<PlannedFrame, 'slide' | 'next'> {
    const fade = nearest(atS);
    const done = fade > 0 && fade < count ? (atS - fade * eachS) / fadeS + 0.5 : 1;
    if (done < tolerance) return { slide: fade - 1, next: 0 };
    if (done < 1 - tolerance) return { slide: fade - 1, next: done };
    return { slide: Math.min(count - 1, Math.floor(atS / eachS)), next: 0 };
  }
}
