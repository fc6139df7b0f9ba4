import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureBudget, planFit } from './video-plan.ts';

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

test('the picture gets what the sound leaves, and no more than can be seen or than the video has', () => {
  const facts = { durationS: 60, soundBytes: 1_000_000, sourceBytes: 5_000_000, frames: 4500 };
  expect(pictureBudget({ width: 720, height: 1280 }, facts, 10e6)).toBe(8_696_000);
  expect(pictureBudget({ width: 360, height: 640 }, facts, 500e6)).toBe(6_739_200);
  const large = { ...facts, sourceBytes: 600e6 };
  expect(pictureBudget({ width: 360, height: 640 }, large, 500e6)).toBe(486_446_000);
  expect(pictureBudget({ width: 360, height: 640 }, facts, 1e6)).toBeLessThan(0);
});
