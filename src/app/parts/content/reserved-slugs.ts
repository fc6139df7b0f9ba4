import type { SiteNames } from '../../../content/import/folder-reader.ts';
import { isLocale, locales } from '../../../i18n/languages.ts';
import { siteHas } from '../../../web/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../../web/configuration/configuration.ts';
import { serverNames } from '../../../web/server/server-names.ts';

/** What an import must know of the site: its languages, and the addresses that are taken. */
export function reservedSlugs(configuration: SiteConfiguration): SiteNames {
  const moved = new Set(Object.values(configuration.abnormalPages).flatMap((pages) => Object.values(pages)));
  return {
    locales,
    isTaken: (slug) =>
      isLocale(slug) ||
      serverNames.has(slug) ||
      moved.has(slug) ||
      configuration.locales.some((locale) => siteHas(configuration, slug, locale)),
  };
}
