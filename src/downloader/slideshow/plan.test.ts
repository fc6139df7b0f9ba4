import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseCanvas, timeSlides } from './plan.ts';

const size = (width: number, height: number) => ({ width, height });

it.each([
  [
    'the form that most pictures have',
    [size(1350, 1080), size(1080, 1350), size(1080, 1350)],
    size(1080, 1350),
  ],
  ['the first form where all differ', [size(1080, 1440), size(1080, 608)], size(1080, 1440)],
  ['no more pixels than the largest has', [size(540, 720), size(360, 480)], size(540, 720)],
  ['even sides', [size(1079, 1439)], size(1080, 1440)],
  ['a panorama as wide as a screen', [size(1080, 120)], size(1080, 608)],
  ['a strip as high as a phone', [size(200, 1920)], size(1080, 1920)],
  ['a point large enough to be seen', [size(1, 1)], size(320, 320)],
])('chooses %s', (_, pictures, canvas) => {
  expect(chooseCanvas(pictures)).toEqual(canvas);
});

it('chooses a size that H.264 and phones accept, whatever the pictures are', () => {
  const pixels = fc.integer({ min: 1, max: 1920 });
  fc.assert(
    fc.property(fc.array(fc.record({ width: pixels, height: pixels }), { minLength: 1 }), (pictures) => {
      const { width, height } = chooseCanvas(pictures);
      expect([width % 2, height % 2]).toEqual([0, 0]);
      expect(width).toBeGreaterThanOrEqual(320);
      expect(width).toBeLessThanOrEqual(1080);
      expect(height).toBeGreaterThan(100);
      expect(height).toBeLessThanOrEqual(1920);
    }),
  );
});

it.each([
  ['ten pictures over half a minute', 10, 30, { durationS: 30, eachS: 3, fadeS: 0.4 }],
  ['without a sound', 4, null, { durationS: 10, eachS: 2.5, fadeS: 0.4 }],
  ['one picture for all of its sound', 1, 12, { durationS: 12, eachS: 12, fadeS: 0.4 }],
  ['a short sound, in shorter cross-fades', 10, 6, { durationS: 6, eachS: 0.6, fadeS: 0.2 }],
  ['no flicker, however short the sound is', 30, 2, { durationS: 15, eachS: 0.5, fadeS: 0.5 / 3 }],
])('times %s', (_, count, soundS, timing) => {
  const { durationS, eachS, fadeS } = timeSlides(count, soundS);
  expect([durationS, eachS]).toEqual([timing.durationS, timing.eachS]);
  expect(fadeS).toBeCloseTo(timing.fadeS, 9);
});
