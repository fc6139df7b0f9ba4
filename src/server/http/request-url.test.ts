import { expect, test } from 'vitest';
import { readPageUrl } from './request-url.ts';

const configuration = { locales: ['en', 'de', 'tr'], default_locale: 'en' } as const;

test('splits a URL into page, language, kind and query', () => {
  expect(readPageUrl('/de/contact?a=1?b', configuration)).toMatchObject({
    kind: 'document',
    path: '/de/contact',
    search: '?a=1?b',
    address: { locale: 'de', page: 'contact' },
  });
  expect(readPageUrl('/de/contact.data?', configuration)).toMatchObject({
    kind: 'data',
    search: '?',
    address: { page: 'contact' },
  });
  expect(readPageUrl('/__manifest?p=/', configuration)).toMatchObject({
    kind: 'manifest',
    path: '/__manifest',
  });
});
