import type { ContentChange } from '../../content/writing/changes.ts';
import { parseAddress } from '../../site/addressing/addresses.ts';
import { findModule, siteHas } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';

/** Pages with lists of articles on them, by the beginning of their address. */
const listing = new Set(['posts', 'view-articles', 'author', 'pagelink']);

/**
 * The cached pages that show a changed item: an article's own page in every language (they link to each other), and in
 * the article's language the pages with lists and the other articles, which may recommend it. Names of categories and
 * authors appear on nearly all pages: changing one affects every page.
 * @returns a function that tells by a page's path whether it is affected
 */
export function touchedPages(
  changes: readonly ContentChange[],
  configuration: SiteConfiguration,
): (path: string) => boolean {
  if (changes.some(({ subject, name }) => subject !== 'article' || name === '*')) return () => true;
  const slugs = new Set(changes.map(({ name }) => name));
  const locales = new Set(changes.map(({ locale }) => locale));
  return (path) => {
    const { locale, page } = parseAddress(path, configuration);
    if (slugs.has(page)) return true;
    const [first = ''] = page.split('/', 1);
    if (!locales.has(locale)) return false;
    const isArticle = !siteHas(configuration, first, locale);
    return isArticle || listing.has(first) || findModule(configuration, page) !== undefined;
  };
}
