import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeSlides } from '../../../../../downloader/slideshow/plan.ts';
import { planFrames } from './slides.ts';

const plan = (count: number, soundS: number | null) => [...planFrames(count, timeSlides(count, soundS))];

describe('the frames of a video', () => {
  test('rest on a picture at five a second, and use 25 for a cross-fade', () => {
    const frames = plan(2, null);
    const resting = frames.filter(({ atS }) => atS < 2.2 || atS > 2.8);
    expect(resting.slice(0, 3).map(({ atS }) => atS)).toEqual([0, 0.2, 0.4]);
    const fading = frames.filter(({ next }) => next > 0);
    expect(fading.map(({ atS }) => atS)).toEqual([2.32, 2.36, 2.4, 2.44, 2.48, 2.52, 2.56, 2.6, 2.64, 2.68]);
    expect(fading.every(({ slide }) => slide === 0)).toBe(true);
    expect(fading[5]?.next).toBeCloseTo(0.55, 9);
    expect(frames.at(-1)).toMatchObject({ slide: 1, next: 0 });
  });

  test('of one picture have no cross-fade', () => {
    expect(plan(1, 12).filter(({ slide, next }) => slide > 0 || next > 0)).toEqual([]);
  });

  test('follow each other without a gap, each picture in turn, each shown alone and for the same time', () => {
    const sounds = fc.option(fc.double({ min: 0.03, max: 900, noNaN: true }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 35 }), sounds, (count, soundS) => {
        const timing = timeSlides(count, soundS);
        let [endS, place] = [0, 0];
        const aloneS = Array.from({ length: count }, () => 0);
        for (const { atS, durationS, slide, next } of planFrames(count, timing)) {
          expect(atS).toBeCloseTo(endS, 9);
          expect(durationS).toBeGreaterThan(0);
          expect(slide + next).toBeGreaterThanOrEqual(place);
          expect(next === 0 ? slide : slide + 1).toBeLessThan(count);
          if (next === 0) aloneS[slide] = (aloneS[slide] ?? 0) + durationS;
          [endS, place] = [atS + durationS, slide + next];
        }
        expect(endS).toBeCloseTo(timing.durationS, 9);
        expect(Math.ceil(place)).toBe(count - 1);
        for (const seconds of aloneS) expect(seconds).toBeGreaterThan(timing.eachS - timing.fadeS - 0.1);
      }),
      { numRuns: 60 },
    );
  });
});
