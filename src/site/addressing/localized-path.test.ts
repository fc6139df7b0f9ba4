import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Article } from '../../content/content.ts';
import { locales } from '../../i18n/languages.ts';
import { parseSiteConfiguration } from '../configuration/configuration.ts';
import { localizedPath } from './localized-path.ts';

const file = JSON.parse(readFileSync('site.config.json', 'utf8')) as Record<string, unknown>;
const configuration = parseSiteConfiguration({
  ...file,
  locales,
  restricted_pages: { '/api': ['en'] },
  abnormal_pages: { de: { '/contact': '/kontakt' } },
});

const slugs: Record<string, Record<string, string>> = {
  quality: { en: 'quality', de: 'qualitaet' },
  nur: { de: 'nur-deutsch' },
  only: { en: 'only-english' },
};
const content = {
  article: async (locale: string, slug: string) => {
    const found = Object.entries(slugs).find(([, bySlug]) => bySlug[locale] === slug);
    return found === undefined ? null : ({ key: found[0] } as Article);
  },
  translations: async (key: string) =>
    Object.entries(slugs[key] ?? {}).map(([locale, slug]) => ({ locale, slug, updatedAt: 0 })),
};

test.each([
  ['a page of the site', '/dmca', '/de/dmca'],
  ['the home page', '/', '/de'],
  ['a page that has an address of its own in the language', '/contact', '/de/kontakt'],
  ['a page that the language lacks', '/api', '/api'],
  ['a category', '/posts/guides', '/de/posts/guides'],
  ['an author', '/author/editors', '/de/author/editors'],
  ['an article by its address in the default language', '/quality', '/de/qualitaet'],
  ['an article by its address in the language', '/nur-deutsch', '/de/nur-deutsch'],
  ['an article without a translation', '/only-english', '/only-english'],
  ['a path that names a language', '/fr/quality', '/fr/quality'],
  ['a path that names nothing', '/nothing', '/nothing'],
])('%s: %s leads to %s in German', async (_, path, expected) => {
  expect(await localizedPath(path, 'de', configuration, content)).toBe(expected);
});

test('in the default language a path stays as it is', async () => {
  expect(await localizedPath('/quality', 'en', configuration, content)).toBe('/quality');
});
