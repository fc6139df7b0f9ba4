import type { SiteConfiguration } from '../configuration/configuration.ts';
import { findModule, isFixedPage } from './site-pages.ts';

const sections: Readonly<Record<string, string>> = {
  posts: 'category',
  author: 'author-articles',
  'view-articles': 'view-articles',
};

/**
 * The key under which a page stands in statistics: a tool page's own (`elk_key`), a static page's name, else the kind of
 * page. There are as many as the configuration has, whatever is asked for.
 * @param page without language and slashes, as an address says it
 */
export function pageKeyOf(configuration: SiteConfiguration, page: string): string {
  const module = findModule(configuration, page);
  if (module !== undefined) return module.pageKey;
  if (isFixedPage(configuration, page)) return page;
  // All addresses at which nothing is found show one page, that of an article which there is not.
  const [section = '', ...below] = page.split('/');
  return (below.length > 0 && Object.hasOwn(sections, section) && sections[section]) || 'article';
}
