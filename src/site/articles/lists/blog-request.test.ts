import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paginate } from './blog-request.ts';

const labels = {
  label: 'Pages',
  previous: 'Previous',
  next: 'Next',
  number: (n: string) => `Page ${n}`,
  lang: 'en',
};
const hrefOf = (page: number) => `/p/${page}`;

test('one page needs no links', () => {
  expect(paginate({ page: 1, pages: 1 }, hrefOf, labels)).toBeNull();
  expect(paginate({ page: 1, pages: 0 }, hrefOf, labels)).toBeNull();
});

test('gaps replace skipped numbers', () => {
  const made = paginate({ page: 10, pages: 2000 }, hrefOf, labels);
  expect(made?.pages.map(({ text, afterGap }) => (afterGap ? `… ${text}` : text))).toEqual([
    '1',
    '… 8',
    '9',
    '10',
    '11',
    '12',
    '… 2,000',
  ]);
  expect(made?.previous?.href).toBe('/p/9');
  expect(made?.next?.href).toBe('/p/11');
});

test('always links the first and last page, and marks the current one once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 90_000 }), fc.nat(), (pages, at) => {
      const page = (at % pages) + 1;
      const links = paginate({ page, pages }, hrefOf, labels)?.pages ?? [];
      expect(links.filter(({ isPresent }) => isPresent).map(({ number }) => number)).toEqual([page]);
      expect(links[0]?.number).toBe(1);
      expect(links.at(-1)?.number).toBe(pages);
      expect(links.length).toBeLessThanOrEqual(7);
    }),
  );
});
