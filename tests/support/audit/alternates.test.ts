import { expect, test } from 'vitest';
import { checkAlternates } from './alternates.ts';

const page = (path: string, canonical: string, alternates: Record<string, string>) => ({
  path,
  html: [
    `<link rel="canonical" href="${canonical}"/>`,
    ...Object.entries(alternates).map(
      ([hreflang, href]) => `<link rel="alternate" hrefLang="${hreflang}" href="${href}"/>`,
    ),
  ].join(''),
});
const both = { en: 'https://a/x', de: 'https://a/de/x', 'x-default': 'https://a/x' };

test('accepts pages that name each other', () => {
  expect(checkAlternates([page('/x', 'https://a/x', both), page('/de/x', 'https://a/de/x', both)])).toEqual(
    [],
  );
});

test.each([
  ['a language that does not answer', [page('/x', 'https://a/x', both)]],
  [
    'a language that names others',
    [page('/x', 'https://a/x', both), page('/de/x', 'https://a/de/x', { de: 'https://a/de/x' })],
  ],
  ['no default', [page('/x', 'https://a/x', { en: 'https://a/x' })]],
  ['a page that leaves itself out', [page('/de/x', 'https://a/de/x', {})]],
  ['no canonical address', [{ path: '/x', html: '' }]],
])('finds %s', (_, pages) => {
  expect(checkAlternates(pages)).not.toEqual([]);
});
