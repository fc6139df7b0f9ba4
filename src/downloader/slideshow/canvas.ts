import type { PictureSize } from '../pictures/pictures.ts';

/** Maximum size of a picture; the platform's are as wide, and phones show no more. */
export const mostPixels: PictureSize = { width: 1080, height: 1920 };
const leastWidth = 320;
/** Width by height of a phone held upright, and of one laid down. */
const narrowest = 9 / 16;
const widest = 16 / 9;

const ratioOf = ({ width, height }: PictureSize) => width / height;
/** Colour is stored for every other pixel. */
const even = (pixels: number) => Math.max(2, 2 * Math.round(pixels / 2));
const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value));

/**
 * The size of the video: the most frequent aspect ratio, the first one on a tie, so that few pictures have bars.
 * @param pictures at least one
 */
export function chooseCanvas(pictures: readonly PictureSize[]): PictureSize {
  const forms = new Map<string, PictureSize[]>();
  for (const picture of pictures) {
    const form = ratioOf(picture).toFixed(1);
    forms.set(form, [...(forms.get(form) ?? []), picture]);
  }
  const groups = [...forms.values()].toSorted((one, other) => other.length - one.length);
  const usual = groups[0]?.reduce((one, other) => (other.width > one.width ? other : one)) ?? mostPixels;
  const ratio = between(narrowest, ratioOf(usual), widest);
  const width = between(leastWidth, Math.max(usual.width, usual.height * ratio), mostPixels.width);
  return { width: even(width), height: even(width / ratio) };
}
