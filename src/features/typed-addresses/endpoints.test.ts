import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { readTypedLink } from './endpoints.ts';

const locales = ['en', 'de', 'tr'] as const;
const id = '7301234567890123456';
const addressBy = (handle: string) => `https://www.tiktok.com/@${handle}/video/${id}`;

test.each([
  `/https://www.tiktok.com/@a/video/${id}`,
  `/https:/www.tiktok.com/@a/video/${id}`,
  `/http://m.tiktok.com/v/${id}.html`,
  `/HTTPS://www.tiktok.com/@a/photo/${id}?is_from_webapp=1&lang=de`,
  `/https%3A%2F%2Fwww.tiktok.com%2F%40a%2Fvideo%2F${id}%3Flang%3Dde`,
  `/www.tiktok.com/@a/video/${id}/`,
  `/tiktok.com/@a/video/${id}`,
  `/@a/video/${id}`,
  `/@a.b_c/photo/${id}?lang=en`,
  `/%40a/video/${id}`,
  `/@f%C3%A4hre/video/${id}`,
  `/https://www.tiktok.com/foryou?item_id=${id}`,
])('%s is the post', (url) => {
  const [, handle = ''] = /(?:@|%40)([\w.]+)(?:\/|%2F)/.exec(url) ?? [];
  const link = addressBy(handle);
  expect(readTypedLink(url, locales)).toEqual({ link, locale: null });
  expect(readTypedLink(`/de${url}`, locales)).toEqual({ link, locale: 'de' });
});

test.each([
  '/vm.tiktok.com/ZS4VE7DHe',
  '/https://vm.tiktok.com/ZS4VE7DHe/',
  '/https:/www.tiktok.com/t/ZS4VE7DHe',
])('%s is the short link', (url) =>
  expect(readTypedLink(url, locales)?.link).toBe('https://vm.tiktok.com/ZS4VE7DHe/'),
);

test.each([
  '/',
  '/de',
  '/blog',
  '/@a',
  '/@a/live',
  '/https://www.tiktok.com/@a',
  `/https://evil.example/@a/video/${id}`,
  `/https://evil.example/https://www.tiktok.com/@a/video/${id}`,
  `/https://www.tiktok.com.evil.example/@a/video/${id}`,
  `/https://www.tiktok.com@evil.example/@a/video/${id}`,
  `/evil.example/@a/video/${id}`,
  `//www.tiktok.com/@a/video/${id}`,
  `/t/ZS4VE7DHe`,
  `/https://www.tiktok.com/@a/video/${id}?${'q'.repeat(1_000)}`,
])('%s is neither', (url) => expect(readTypedLink(url, locales)).toBeNull());

it('returns only a public address of a post or a short link, whatever is typed', () => {
  const pieces = fc.constantFrom(
    ...[
      '/',
      '//',
      'https:',
      'www.tiktok.com',
      'vm.tiktok.com',
      'evil.example',
      '@',
      '@a',
      'video',
      id,
      '?',
      '#',
    ],
    ...['%2f', '%3A', '%', '\\', '..', 'de', '.', '&url=', 'ZS4VE7DHe', '\u0000', '\r\n'],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 14 }), (parts) => {
      const typed = readTypedLink(`/${parts.join('')}`, locales);
      if (typed !== null)
        expect(typed.link).toMatch(
          /^https:\/\/(?:www\.tiktok\.com\/@[\p{L}\p{M}\p{N}_.-]*\/video\/\d+|vm\.tiktok\.com\/[\w-]+\/)$/u,
        );
    }),
  );
});
