import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ArticleAddress, Category, Content } from '../../content/content.ts';
import { refuseStandIn } from '../../content/stand-in.ts';
import { isLocale, type Locale, languages } from '../../i18n/languages.ts';
import { linkTo } from '../../site/addressing/addresses.ts';
import { listPages, localesOf, siteHasSection } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { SitemapEntry } from './sitemap-xml.ts';

/** Addresses of one kind, in numbered parts. */
export interface SitemapSource {
  /** Stands in the parts' addresses. */
  readonly name: string;
  /** Number of parts, at least 1 unless there is nothing. */
  parts(): Promise<number>;
  /** @param part 1 is the first */
  entries(part: number): AsyncIterable<SitemapEntry>;
}

/**
 * Addresses in one part. The protocol allows 50,000 and 50 MB; with alternates in 24 languages an address takes up to 3
 * kB, and a part is generated in a fraction of a second.
 */
const partLength = 2000;
/** Articles that are read at once: with their addresses in 24 languages some milliseconds of the only thread. */
const readLength = 100;

/** A page in each of its languages. */
function* inEach(
  configuration: SiteConfiguration,
  found: readonly { readonly locale: Locale; readonly page: string; readonly changedAt?: number }[],
): Generator<SitemapEntry> {
  const all = found.map((one) => ({ ...one, path: linkTo(configuration, one.locale, one.page) }));
  // Pages of another site are alternates of ours, and its own sitemap's business.
  const own = all.filter(({ path }) => path.startsWith('/'));
  const alternates = all.map(({ locale, path }) => ({ hreflang: languages[locale].hreflang, path }));
  const fallback = all.find(({ locale }) => locale === configuration.default_locale);
  if (fallback !== undefined) alternates.push({ hreflang: 'x-default', path: fallback.path });
  for (const { path, changedAt } of own)
    yield { path, alternates, ...(changedAt !== undefined && { changedAt }) };
}

/** Categories, each followed by those in it. */
export const flatCategories = (categories: readonly Category[]): Category[] =>
  categories.flatMap((category) => [category, ...flatCategories(category.children)]);

/** The configuration's pages, the categories and the authors: few, so all in one part. */
function places(configuration: SiteConfiguration, content: Content): SitemapSource {
  const { locales } = configuration;
  async function* entries(): AsyncGenerator<SitemapEntry> {
    for (const page of listPages(configuration))
      yield* inEach(
        configuration,
        localesOf(configuration, page).map((locale) => ({ locale, page })),
      );
    const found = new Map<string, { locale: Locale; page: string }[]>();
    for (const locale of locales) {
      await yieldToEventLoop();
      const [categories, authors] = await Promise.all([content.categories(locale), content.authors(locale)]);
      // A sitemap without its categories would make crawlers forget them.
      refuseStandIn(categories);
      const filled = flatCategories(categories).filter(({ articles }) => articles > 0);
      for (const page of [
        ...filled.map(({ slug }) => `posts/${slug}`),
        ...authors.map(({ id }) => `author/${id}`),
      ].filter((below) => siteHasSection(configuration, below, locale)))
        found.set(page, [...(found.get(page) ?? []), { locale, page }]);
    }
    for (const one of found.values()) yield* inEach(configuration, one);
  }
  return { name: 'pages', parts: async () => 1, entries };
}

/** The articles of one language. */
function articles(configuration: SiteConfiguration, content: Content, locale: Locale): SitemapSource {
  const read = (page: number, size: number) => content.articles({ locale, list: 'all', page, size });
  async function* entries(part: number): AsyncGenerator<SitemapEntry> {
    const perPart = partLength / readLength;
    for (let page = (part - 1) * perPart + 1; page <= part * perPart; page += 1) {
      const { articles: some } = await read(page, readLength);
      if (some.length === 0) return;
      const translations = await content.allTranslations(some.map(({ key }) => key));
      for (const { key, slug } of some) yield* own(slug, translations.get(key) ?? []);
      if (some.length < readLength) return;
    }
  }
  function* own(slug: string, translations: readonly ArticleAddress[]): Generator<SitemapEntry> {
    const found = translations.flatMap((one) =>
      isLocale(one.locale) && configuration.locales.includes(one.locale)
        ? [{ locale: one.locale, page: one.slug, changedAt: one.updatedAt }]
        : [],
    );
    const path = linkTo(configuration, locale, slug);
    for (const entry of inEach(configuration, found)) if (entry.path === path) yield entry;
  }
  return {
    name: `articles-${locale}`,
    parts: async () => Math.ceil((await read(1, 1)).total / partLength),
    entries,
  };
}

/** Every address that search engines should know. */
export function sitemapSources(configuration: SiteConfiguration, content: Content): readonly SitemapSource[] {
  return [
    places(configuration, content),
    ...configuration.locales.map((locale) => articles(configuration, content, locale)),
  ];
}
