import type { SiteNames } from '../../content/import/folder-reader.ts';
import { isLocale, locales } from '../../i18n/languages.ts';
import { siteHas } from '../addressing/site-pages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { serverSlugs } from './server-slugs.ts';

/** The facts about the site that an import needs: its languages, and the reserved addresses. */
export function reservedSlugs(configuration: SiteConfiguration): SiteNames {
  const moved = new Set(Object.values(configuration.abnormalPages).flatMap((pages) => Object.values(pages)));
  return {
    locales,
    isTaken: (slug) =>
      isLocale(slug) ||
      serverSlugs.has(slug) ||
      moved.has(slug) ||
      configuration.locales.some((locale) => siteHas(configuration, slug, locale)),
  };
}
