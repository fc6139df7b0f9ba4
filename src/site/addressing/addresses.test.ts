import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locales } from '../../i18n/languages.ts';
import { staticPages } from '../configuration/static-pages.ts';
import { type AddressConfiguration, linkTo, parseAddress, pathFor } from './addresses.ts';

const site: AddressConfiguration = { locales, default_locale: 'en' };

test.each([
  ['/', 'en', '', '/'],
  ['/tr', 'tr', '', '/tr'],
  ['/tr/', 'tr', '', '/tr'],
  ['/de', 'de', '', '/de'],
  ['/tr/de', 'de', '', '/de'],
  ['/contact', 'en', 'contact', '/contact'],
  ['/de/contact', 'de', 'contact', '/de/contact'],
  ['/tr/contact', 'tr', 'contact', '/tr/contact'],
  ['/tr/de/contact', 'de', 'contact', '/de/contact'],
  ['/de/contact/', 'de', 'contact', '/de/contact'],
  ['/posts/phones/2', 'en', 'posts/phones/2', '/posts/phones/2'],
  ['/de/tr/contact', 'de', 'tr/contact', '/de/tr/contact'],
  ['/term-of-use', 'en', 'terms-of-use', '/terms-of-use'],
  ['/tr/ja/error-404', 'ja', '404', '/ja/404'],
])('%s is in %s the page "%s"', (path, locale, page, canonicalPath) => {
  expect(parseAddress(path, site)).toEqual({ locale, page, variant: false, canonicalPath });
});

test.each([
  ['/contact-new1', 'contact', '/contact'],
  ['/tr/posts-new1/phones/2', 'posts/phones/2', '/tr/posts/phones/2'],
  ['/de/terms-of-use-new1', 'terms-of-use', '/de/terms-of-use'],
])('%s is the second layout of a page', (path, page, canonicalPath) => {
  expect(parseAddress(path, site)).toMatchObject({ page, variant: true, canonicalPath });
});

test.each(['/author-new1', '/contact-new1/more', '/x-new1', '/-new1'])(
  '%s is not a second layout',
  (path) => {
    expect(parseAddress(path, site)).toMatchObject({ page: path.slice(1), variant: false });
  },
);

test.each([
  ['/en', '/'],
  ['/en/contact', '/contact'],
  ['/ph/contact', '/tl/contact'],
  ['/tr/tr/contact', '/tr/contact'],
  ['/DE/contact-new1', '/de/contact-new1'],
  ['/tr/PH', '/tl'],
])('%s redirects permanently to %s', (path, target) => {
  expect(parseAddress(path, site).redirect).toBe(target);
});

test.each(['/en/de', '/tr/tr/de', '/en/en'])('%s names no page and redirects nowhere', (path) => {
  expect(parseAddress(path, site).redirect).toBeUndefined();
});

test('no path redirects out of the site, and no redirect leads to another', () => {
  const segment = fc.oneof(
    fc.constantFrom(
      '',
      'tr',
      'en',
      'EN',
      'ph',
      'de',
      '\\',
      '..',
      '%2f',
      '%5c',
      'evil.example',
      'constructor',
    ),
    fc.constantFrom(...staticPages, 'contact-new1', 'posts-new1'),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
      const { pathname } = new URL(`https://site.example/${segments.join('/')}`);
      const address = parseAddress(pathname, site);
      for (const path of [address.canonicalPath, address.redirect ?? '/']) {
        expect(path).toMatch(/^\/(?![/\\])/);
        expect(new URL(path, 'https://site.example').host).toBe('site.example');
      }
      if (address.redirect === undefined) return;
      const next = parseAddress(address.redirect, site);
      expect(next).toMatchObject({ locale: address.locale, page: address.page, variant: address.variant });
      expect(next.redirect).toBeUndefined();
    }),
  );
});

test('the path of every page resolves to it in every language', () => {
  for (const locale of locales)
    for (const page of ['', ...staticPages, 'tiktok-downloader', 'posts/x/2'])
      for (const variant of [false, true]) {
        const read = parseAddress(pathFor(site, locale, page, variant), site);
        expect(read).toMatchObject({ locale, page });
        expect(read.redirect).toBeUndefined();
        expect(read.variant).toBe(
          variant && pathFor(site, locale, page) !== pathFor(site, locale, page, true),
        );
      }
});

describe('a language with its own addresses', () => {
  const moved: AddressConfiguration = {
    ...site,
    abnormal_pages: {
      de: { 'tiktok-downloader': 'tiktok-herunterladen', '': 'start' },
      ja: { contact: 'https://help.example/ja' },
    },
  };

  test('serves the page at its own address, and redirects the usual one', () => {
    expect(parseAddress('/de/tiktok-herunterladen', moved)).toEqual({
      locale: 'de',
      page: 'tiktok-downloader',
      variant: false,
      canonicalPath: '/de/tiktok-herunterladen',
    });
    expect(parseAddress('/de/tiktok-downloader', moved).redirect).toBe('/de/tiktok-herunterladen');
    expect(parseAddress('/tr/de', moved).redirect).toBe('/de/start');
    expect(linkTo(moved, 'de', '')).toBe('/de/start');
  });

  test('other languages keep theirs', () => {
    expect(parseAddress('/tiktok-downloader', moved).redirect).toBeUndefined();
    expect(parseAddress('/fr/tiktok-herunterladen', moved).page).toBe('tiktok-herunterladen');
  });

  test('links lead to another site if configured; addresses never do', () => {
    expect(linkTo(moved, 'ja', 'contact')).toBe('https://help.example/ja');
    expect(parseAddress('/ja/contact', moved)).toMatchObject({ canonicalPath: '/ja/contact' });
    expect(parseAddress('/ja/contact', moved).redirect).toBeUndefined();
    expect(linkTo(moved, 'ja', 'constructor')).toBe('/ja/constructor');
  });
});
