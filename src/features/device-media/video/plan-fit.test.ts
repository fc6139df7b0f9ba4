import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planAgain, planFit } from './plan-fit.ts';

const facts = fc.record({
  width: fc.integer({ min: 64, max: 4096 }),
  height: fc.integer({ min: 64, max: 4096 }),
  durationS: fc.double({ min: 0.5, max: 1800, noNaN: true }),
});
const megabytes = fc.integer({ min: 1, max: 500 });

test('what is planned stays below its bound, has even sides, and is no larger than the video', () => {
  fc.assert(
    fc.property(facts, megabytes, (video, mb) => {
      const plan = planFit(video, mb * 1e6);
      if (plan === null) return;
      const { width, height, bitrate } = plan;
      expect(bitrate).toBeGreaterThan(0);
      expect(((bitrate + 128_000) * video.durationS) / 8).toBeLessThan(mb * 1e6);
      expect([width % 2, height % 2]).toEqual([0, 0]);
      expect(width <= video.width + 1 && height <= video.height + 1).toBe(true);
    }),
  );
});

test('a picture becomes smaller where its bits become few, and there is none for an hour', () => {
  const sides = [5, 60, 120, 600, 3600].map((durationS) =>
    planFit({ width: 1080, height: 1920, durationS }, 16e6),
  );
  expect(sides.map((plan) => plan?.width)).toEqual([1080, 720, 540, 240, undefined]);
});

test('a second try meets the bound for an encoder that takes any share of what it is given', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.6, max: 1.5, noNaN: true }), (share) => {
      const durationS = 60;
      const bytesOf = (bitrate: number) => ((bitrate * share + 128_000) * durationS) / 8;
      const first = planFit({ width: 720, height: 1280, durationS }, 16e6);
      if (first === null) return expect.unreachable('no plan');
      const again = planAgain(first, bytesOf(first.bitrate), durationS, 16e6) ?? first;
      expect(bytesOf(again.bitrate)).toBeLessThanOrEqual(16e6);
      expect(bytesOf(again.bitrate)).toBeGreaterThanOrEqual(0.92 * 16e6);
    }),
  );
});
