import { findModule } from '../addressing/site-pages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { sharedText } from './tool/answers/answer.ts';

/**
 * Whether a page looks at anything in a query. With any other query it is the page that it is without one, however
 * often a program makes up a new one.
 */
export function readsQuery(configuration: SiteConfiguration, page: string, query: URLSearchParams): boolean {
  if (page === 'posts') return query.has('category');
  return findModule(configuration, page) !== undefined && sharedText(query) !== null;
}
