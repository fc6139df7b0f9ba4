import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchesOf } from './slug-groups.ts';

const letters = 'abcdefghij';

test('every article is in one batch, together with the articles that take or give up its address', () => {
  const permutation = fc.shuffledSubarray([...letters], { minLength: letters.length });
  fc.assert(
    fc.property(permutation, permutation, fc.integer({ min: 1, max: 4 }), (slugs, order, size) => {
      // Each article had its own name as its address, and now has another one's.
      const articles = order.map((key) => ({ key, locale: 'en', slug: slugs[letters.indexOf(key)] ?? key }));
      const batches = batchesOf(articles, (_, slug) => slug, size);
      expect(
        batches
          .flat()
          .map(({ key }) => key)
          .sort(),
      ).toEqual([...letters]);
      for (const batch of batches) {
        const keys = new Set(batch.map(({ key }) => key));
        for (const { slug } of batch) expect(keys.has(slug)).toBe(true);
      }
    }),
  );
});

test('puts unrelated articles into batches of the given size', () => {
  const articles = Array.from({ length: 10 }, (_, n) => ({ key: `a${n}`, locale: 'en', slug: `s${n}` }));
  expect(batchesOf(articles, () => undefined, 4).map(({ length }) => length)).toEqual([4, 4, 2]);
});
