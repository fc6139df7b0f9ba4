import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Experiment, isRunning, variantFor } from './experiment.ts';

const experiment: Experiment = {
  name: 'sidebarAB',
  variants: [
    { name: 'a', weight: 1 },
    { name: 'b', weight: 3 },
  ],
  pages: ['/', '/contact'],
  start: 1000,
  end: 2000,
};

test.each([
  ['/', 1000, true],
  ['/contact', 1999, true],
  ['/dmca', 1500, false],
  ['/', 999, false],
  ['/', 2000, false],
])('on %s at %d it runs: %s', (page, now, runs) => {
  expect(isRunning(experiment, page, now)).toBe(runs);
});

test('without pages and bounds it runs everywhere and always', () => {
  expect(isRunning({ ...experiment, pages: [], start: null, end: null }, '/dmca', 0)).toBe(true);
});

test('keeps a variant once assigned, and replaces an unknown one by the weights', () => {
  expect(variantFor(experiment, 'b', 0)).toBe('b');
  expect(variantFor(experiment, 'c', 0)).toBe('a');
  expect(variantFor(experiment, null, 0.249)).toBe('a');
  expect(variantFor(experiment, null, 0.25)).toBe('b');
});

test('everybody is in a variant with a positive weight, whatever the weights', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 6 });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(weights, random, (list, at) => {
      fc.pre(list.some((weight) => weight > 0));
      const variants = list.map((weight, index) => ({ name: String(index), weight }));
      const given = variantFor({ ...experiment, variants }, null, at);
      expect(list[Number(given)]).toBeGreaterThan(0);
    }),
  );
});
