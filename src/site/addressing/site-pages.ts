import type { Locale } from '../../i18n/languages.ts';
import type { DownloaderModule, SiteConfiguration } from '../configuration/configuration.ts';
import { staticPages } from '../configuration/static-pages.ts';

/** The downloader page at an address, or undefined. */
export function findModule(configuration: SiteConfiguration, page: string): DownloaderModule | undefined {
  return page === '' ? configuration.index_info : configuration.index_modules.get(page);
}

/** The home page and the downloader pages. */
export const listModules = ({ index_info, index_modules }: SiteConfiguration): DownloaderModule[] => [
  index_info,
  ...index_modules.values(),
];

/** Whether a page is a downloader for sound only. */
export function isForSound(configuration: SiteConfiguration, page: string): boolean {
  const buttons = findModule(configuration, page)?.download_info.download_btns ?? [];
  return buttons.length > 0 && buttons.every((button) => button === 'mp3' || button === 'm4a');
}

/** Whether a page is a downloader for videos, with or without their sound. */
export const offersVideos = (configuration: SiteConfiguration, page: string): boolean =>
  findModule(configuration, page) !== undefined && !isForSound(configuration, page);

/** Whether a page is one that every site has, or that a feature adds: neither a downloader nor of the content store. */
export const isFixedPage = ({ featurePages }: SiteConfiguration, page: string): boolean =>
  (staticPages as readonly string[]).includes(page) || featurePages.includes(page);

/** Pages that respond but have no address of their own. */
const hiddenPages: ReadonlySet<string> = new Set(['404']);

/**
 * Whether a language has the home page, a downloader page, a static page or one of a feature at an address without
 * language and slashes. Which articles, categories and authors there are, the site configuration does not say.
 */
export function siteHas(configuration: SiteConfiguration, page: string, locale: Locale): boolean {
  const module = findModule(configuration, page);
  if (module !== undefined) return module.locales?.includes(locale) ?? true;
  if (!isFixedPage(configuration, page)) return false;
  return configuration.restricted_pages.get(page)?.includes(locale) ?? true;
}

/** Whether a language has the section that contains a page: the pages below `posts` depend on it. */
export function siteHasSection(configuration: SiteConfiguration, page: string, locale: Locale): boolean {
  const [section = ''] = page.split('/', 1);
  return siteHas(configuration, section, locale);
}

/** The languages that have a configured page; empty for a page without an address of its own. */
export function localesOf(configuration: SiteConfiguration, page: string): readonly Locale[] {
  if (hiddenPages.has(page)) return [];
  return configuration.locales.filter((locale) => siteHas(configuration, page, locale));
}

/** Every page of the configuration, the home page first, for site maps. */
export function listPages(configuration: SiteConfiguration): readonly string[] {
  const { index_modules, featurePages } = configuration;
  return [
    '',
    ...index_modules.keys(),
    ...staticPages.filter((page) => !hiddenPages.has(page)),
    ...featurePages,
  ];
}

const sections: Readonly<Record<string, string>> = {
  posts: 'category',
  author: 'author-articles',
  'view-articles': 'view-articles',
};

/**
 * The page's key in statistics: a tool page's own (`elk_key`), a static page's name, else the kind of page. The number
 * of keys depends only on the configuration.
 * @param page without language and slashes, as in an address
 */
export function pageKeyOf(configuration: SiteConfiguration, page: string): string {
  const module = findModule(configuration, page);
  if (module !== undefined) return module.elk_key;
  if (isFixedPage(configuration, page)) return page;
  // All unknown addresses show one page, that of a missing article.
  const [section = '', ...below] = page.split('/');
  return (below.length > 0 && Object.hasOwn(sections, section) && sections[section]) || 'article';
}
