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
