import { findModule } from '../addressing/site-pages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { sharedText } from './tool/state/tool-response.ts';

/**
 * Whether a page reads anything in a query. Other queries do not change the page, however often a program invents new
 * ones.
 */
export function readsQuery(configuration: SiteConfiguration, page: string, query: URLSearchParams): boolean {
  if (page === 'posts') return query.has('category');
  return findModule(configuration, page) !== undefined && sharedText(query) !== null;
}
