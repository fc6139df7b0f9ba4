import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageUrlReader } from './page-url.ts';

const configuration = { locales: ['en', 'de', 'tr'], defaultLocale: 'en' } as const;

test('a URL is taken apart into page, language, kind and query', () => {
  const read = pageUrlReader(configuration);
  expect(read('/de/contact?a=1?b')).toMatchObject({
    kind: 'document',
    path: '/de/contact',
    search: '?a=1?b',
    address: { locale: 'de', page: 'contact' },
  });
  expect(read('/de/contact.data?')).toMatchObject({
    kind: 'data',
    search: '?',
    address: { page: 'contact' },
  });
  expect(read('/__manifest?p=/')).toMatchObject({ kind: 'manifest', path: '/__manifest' });
});

test('what is remembered is what reading anew would say', () => {
  const read = pageUrlReader(configuration);
  const url = fc.string({ minLength: 1, maxLength: 300 }).map((text) => `/${text}`);
  fc.assert(
    fc.property(url, (one) => {
      expect([read(one), read(one)]).toEqual([pageUrlReader(configuration)(one), read(one)]);
    }),
  );
});
