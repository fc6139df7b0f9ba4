import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare, verdict } from './evaluate.ts';

const trials = (conversions: number, exposures: number) => ({ conversions, exposures });

// Table II of Newcombe's article, method 10.
test.each([
  [56, 70, 48, 80, 0.2, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.6, 0.1705, 0.809],
  [5, 56, 0, 29, 0.0893, -0.0381, 0.1926],
  [10, 10, 0, 10, 1, 0.6075, 1],
])('%d of %d against %d of %d', (c1, n1, c2, n2, difference, low, high) => {
  const found = compare(trials(c1, n1), trials(c2, n2));
  expect(found?.difference).toBeCloseTo(difference, 4);
  expect(found?.low).toBeCloseTo(low, 4);
  expect(found?.high).toBeCloseTo(high, 4);
});

test('the difference lies in its interval, and both ways say the same', () => {
  const some = fc
    .tuple(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([n, share]) => trials(Math.floor(n * share), n));
  fc.assert(
    fc.property(some, some, (one, other) => {
      const found = compare(one, other);
      const turned = compare(other, one);
      if (found === null || turned === null) throw new Error('nothing found');
      expect(found.low).toBeLessThanOrEqual(found.difference);
      expect(found.high).toBeGreaterThanOrEqual(found.difference);
      expect(found.low).toBeGreaterThanOrEqual(-1 - 1e-9);
      expect(found.high).toBeLessThanOrEqual(1 + 1e-9);
      expect(turned.low).toBeCloseTo(-found.high, 9);
    }),
  );
});

test('a sentence says whether it means anything', () => {
  const say = (one: [number, number], other: [number, number]) =>
    verdict('b', 'a', compare(trials(...one), trials(...other)));
  expect(say([56, 70], [48, 80])).toBe(
    'b does better than a by 20.0 points (95%: 5.2 to 33.4): hardly chance.',
  );
  expect(say([48, 80], [56, 70])).toContain('b does worse than a by 20.0 points (95%: -33.4 to -5.2)');
  expect(say([11, 100], [10, 100])).toContain('b and a may do equally well: 1.0 points between them');
  expect(say([0, 0], [1, 2])).toContain('Nothing can be said of b and a yet');
});
