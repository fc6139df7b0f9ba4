import type { SiteNames } from '../../content/import/folder-reader.ts';
import { isLocale, locales } from '../../i18n/languages.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';

/**
 * First segments of the endpoints' addresses: no other page, such as an article, may use one of these slugs. Names with
 * a dot are omitted: no page has one.
 */
export const serverSlugs: ReadonlySet<string> = new Set([
  'api',
  'category',
  'consent',
  'healthz',
  'messages',
  'metrics',
  'operator',
  'pictures',
  'readyz',
  'share',
  'stars',
]);

/** The facts about the site that an import needs: its languages, and the reserved addresses. */
export function reservedSlugs(configuration: SiteConfiguration): SiteNames {
  const moved = new Set(Object.values(configuration.abnormal_pages).flatMap((pages) => Object.values(pages)));
  return {
    locales,
    isTaken: (slug) =>
      isLocale(slug) ||
      serverSlugs.has(slug) ||
      moved.has(slug) ||
      configuration.locales.some((locale) => siteHas(configuration, slug, locale)),
  };
}
