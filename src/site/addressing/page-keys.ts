import type { SiteConfiguration } from '../configuration/configuration.ts';
import { findModule, isFixedPage } from './site-pages.ts';

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
