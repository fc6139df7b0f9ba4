import type { ContentChange } from '../../content/writing/changes.ts';
import { parseAddress } from '../../site/addressing/addresses.ts';
import { findModule, siteHas } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { pagePath } from '../http/request-url.ts';
import type { PageResponse } from '../http/responses/response.ts';

/** The spaces of a cache: pages, and backends' responses. */
export type CacheSpace = 'pages' | 'requests';

/** The operator's actions on a cache; the calls of the protocol. */
export interface CacheOperations {
  keys(space: CacheSpace): Promise<readonly string[]>;
  /** The text under a key of the `requests`, null when it is missing. */
  getRequest(key: string): Promise<string | null>;
  /** @returns how many there were, where the cache says so */
  delete(space: CacheSpace, keys: readonly string[]): Promise<number>;
  deleteBySuffix(suffixes: readonly string[]): Promise<number>;
  /** Drops all pages. */
  reset(): Promise<number>;
}

/** A cache of finished pages. */
export interface PageCache {
  /** A page that this process has at hand, undefined when that is not known at once. */
  peek(key: string): PageResponse | undefined;
  /** A stale page, for times in which it cannot be rendered; undefined when there is none. */
  stale(key: string): PageResponse | undefined;
  /** A page from the shared cache; null when there is none, or not in time. Never fails. */
  find(key: string): Promise<PageResponse | null>;
  /** Begins to render a page; if it is affected by a later drop, it will not be stored. */
  begin(): KeepPage;
  readonly operations: CacheOperations;
}

/** Stores a finished page for some seconds. @returns the page in its sent form */
type KeepPage = (key: string, response: PageResponse, lifeS: number) => Promise<PageResponse>;

/**
 * Drops all representations of pages whose content has changed, and prevents storing pages being rendered meanwhile.
 * @param touches whether to drop a page, by its path with language: `/`, `/de/posts/7`
 */
export async function dropPages(
  { operations }: PageCache,
  touches: (path: string) => boolean,
): Promise<number> {
  // From now on no page begun earlier is stored, including one that is finished between look-up and drop.
  await operations.delete('pages', []);
  const keys = await operations.keys('pages');
  const touched = keys.filter((key) => {
    const path = key.slice(key.indexOf('/'));
    return touches(pagePath(path).replace(/(?<=.)\/$/, ''));
  });
  return operations.delete('pages', touched);
}

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
