import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSteering } from './steered-encoder.ts';

/** Encodes with an encoder that takes a share of its bit rate that differs from scene to scene. @returns of the budget */
function shareTaken(durationS: number, shares: readonly number[]): number {
  const facts = { bitrate: 2_000_000, budgetBytes: (2_000_000 * durationS) / 8, durationS };
  const steering = createSteering(facts);
  let [bitrate, bytes] = [facts.bitrate, 0];
  for (let atS = 0; atS < durationS - 1e-6; atS += 1 / 30) {
    bitrate = steering.next(atS) ?? bitrate;
    const scene = Math.floor((shares.length * atS) / durationS);
    const frame = ((shares[scene] ?? 1) * bitrate) / 30 / 8;
    bytes += frame;
    steering.add(frame, atS + 1 / 30);
  }
  return bytes / facts.budgetBytes;
}

const durationS = fc.integer({ min: 8, max: 600 });

test('uses a budget up, and no more, with an encoder that takes another share in each scene', () => {
  fc.assert(
    fc.property(
      durationS,
      fc.array(fc.double({ min: 0.75, max: 1.2, noNaN: true }), { minLength: 1, maxLength: 6 }),
      (seconds, shares) => {
        const share = shareTaken(seconds, shares);
        expect(share).toBeGreaterThan(0.945);
        // Corrections are a second apart, so a short video has fewer, and one more try when it ends above.
        expect(share).toBeLessThan(seconds < 16 ? 1.05 : 1.025);
      },
    ),
  );
});

test('gives no more than four times the bits to an encoder that needs none', () => {
  const steering = createSteering({ bitrate: 1000, budgetBytes: 10_000, durationS: 80 });
  const rates = Array.from({ length: 80 }, (_, second) => {
    steering.add(1, second + 1);
    return steering.next(second + 1) ?? 0;
  });
  expect(Math.max(...rates)).toBe(4000);
});
