import { fadingRate, restingStep, type SlideTiming } from '../../../../../downloader/slideshow/plan.ts';

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
 * (`filter-graph.ts`).
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
