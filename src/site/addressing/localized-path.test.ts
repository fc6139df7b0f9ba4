import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../app/parts/read-site-configuration.ts';
import type { Article } from '../../content/content.ts';
import { locales } from '../../i18n/languages.ts';
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
  ['a page of the site', '/dmca', '/de/dmca', 'de'],
  ['the home page', '/', '/de', 'de'],
  ['a page that has an address of its own in the language', '/contact', '/de/kontakt', 'de'],
  ['a page that the language lacks', '/api', '/api', 'en'],
  ['a category', '/posts/guides', '/de/posts/guides', 'de'],
  ['an author', '/author/editors', '/de/author/editors', 'de'],
  ['an article by its address in the default language', '/quality', '/de/qualitaet', 'de'],
  ['an article by its address in the language', '/nur-deutsch', '/de/nur-deutsch', 'de'],
  ['an article without a translation', '/only-english', '/only-english', 'en'],
  ['a path that names a language', '/fr/quality', '/fr/quality', 'fr'],
  ['a path that names nothing', '/nothing', '/nothing', null],
])('%s: %s leads to %s in German', async (_, path, expected, locale) => {
  expect(await localizedPath(path, 'de', configuration, content)).toEqual({ path: expected, locale });
});

test('a path stays unchanged in the default language', async () => {
  const stays = async (path: string) => (await localizedPath(path, 'en', configuration, content)).path;
  for (const path of ['/quality', '/dmca', '/', '/posts/guides', '/feed.xml'])
    expect(await stays(path)).toBe(path);
});
