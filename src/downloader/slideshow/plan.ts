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

/** When which picture is seen, in seconds. */
export interface SlideTiming {
  /** Duration of the whole video. */
  readonly durationS: number;
  /** Time from the middle of a picture's first cross-fade to the middle of its last one. */
  readonly eachS: number;
  /** Duration of a cross-fade. */
  readonly fadeS: number;
}

/** Longer sounds, in seconds, get no video: the platform's videos end after ten minutes. */
export const maxSoundS = 15 * 60;
/** Bytes of a sound that get one; it may be repeated. */
export const maxSoundBytes = 32 * 2 ** 20;
/** Frames a second of a cross-fade. */
export const fadingRate = 25;
/**
 * Between cross-fades one frame in this many is produced: the picture does not change, and a frame less is a frame not
 * encoded.
 */
export const restingStep = 5;
/** Duration of a picture when there is no sound. */
const silentEachS = 2.5;
/** Shorter would be a flicker: three flashes a second can bring on a seizure (WCAG 2.2, 2.3.1). */
const leastEachS = 0.5;
const longestFadeS = 0.4;

/** Minimum length of the sound for this many pictures. */
export const leastSeconds = (count: number): number => count * leastEachS;

/**
 * Spreads pictures evenly over their sound. A sound that is too short is repeated, as on the platform.
 * @param count of pictures, at least 1
 * @param soundS null without a sound
 */
export function timeSlides(count: number, soundS: number | null): SlideTiming {
  const durationS = soundS === null ? count * silentEachS : Math.max(soundS, leastSeconds(count));
  const eachS = durationS / count;
  return { durationS, eachS, fadeS: Math.min(longestFadeS, eachS / 3) };
}
