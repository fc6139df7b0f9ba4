import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redirect, sitePath } from './response.ts';

test.each([
  ['/de/contact', '/de/contact'],
  ['/contact?category=7#form', '/contact?category=7#form'],
  ['/a b', '/a%20b'],
  ['/x/../contact', '/contact'],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['/.//evil.example', null],
  ['/x/..//evil.example', null],
  ['/\t/evil.example', null],
  ['/\n\\evil.example', null],
  ['https://evil.example/', null],
  ['evil.example', null],
  ['', null],
  ['javascript:alert(1)', null],
])('%j -> %j', (target, expected) => {
  expect(sitePath(target)).toBe(expected);
});

const pieces = fc.constantFrom(
  '/', '\\', '.', '..', '//', '@', ':', '%2f', '%5c', '%09', '\t', '\n', '\r', ' ', '?', '#', '&',
  'evil.example', 'https:', 'javascript:', 'user:pass@', '。', '／', '\u0000', 'tr', 'de',
); // biome-ignore format: one list

test('no redirect leaves the site, whatever its target contains', () => {
  const targets = fc.oneof(
    fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }).map((text) => `/${text}`),
  );
  fc.assert(
    fc.property(targets, (target) => {
      const { location = '' } = redirect(301, target).headers;
      // The way a browser resolves it on any page of the site.
      for (const page of ['https://site.example/', 'https://site.example/a/b?c'])
        expect(new URL(location, page).origin).toBe('https://site.example');
      expect(location).toMatch(/^\/[\x21-\x7e]*$/);
    }),
    { numRuns: 500 },
  );
});
