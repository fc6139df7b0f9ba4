import { featurePages } from '../../../src/app/parts/read-site-configuration.ts';
import { namePage, staticPages } from '../../../src/site/configuration/static-pages.ts';

/**
 * One page for each type and language, of all found pages: each static and downloader page is a separate type;
 * articles, categories, authors and further pages of a list are one type each.
 * @param locales the possible prefixes
 * @param downloaders the names of the downloader pages
 */
export function onePageOfEachType(
  paths: Iterable<string>,
  locales: readonly string[],
  downloaders: readonly string[],
): string[] {
  const named: readonly string[] = ['', ...staticPages, ...featurePages, ...downloaders];
  const found = new Map<string, string>();
  for (const path of [...paths].sort()) {
    const { pathname, searchParams } = new URL(path, 'https://site.example');
    const segments = pathname.split('/').filter((segment) => segment !== '');
    const locale = locales.find((prefix) => prefix === segments[0]);
    if (locale !== undefined) segments.shift();
    const { page, variant } = namePage(segments.join('/'));
    const [first = '', ...below] = page.split('/');
    const kind = named.includes(first) ? `${first}${below.map(() => '/*').join('')}` : '(article)';
    const type = `${locale ?? ''} ${kind} ${variant} ${searchParams.size}`;
    if (!found.has(type)) found.set(type, path);
  }
  return [...found.values()];
}
