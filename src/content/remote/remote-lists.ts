import { LRUCache } from 'lru-cache';
import type { BackendClient } from '../../http-client/client.ts';
import type { ArticleSelection, Category, Content } from '../content.ts';
import { readCategories, readSelection } from './wire.ts';

/** How long a response is used, so that pages seldom wait for the backend; shorter for a failure. */
const ttlMs = 60_000;
const failureTtlMs = 10_000;
const maxEntries = 200;

/** Called for every call. */
export type ObserveCall = (call: 'category_list' | 'recently_hot_article', error: unknown) => void;

/** The lists of articles and categories as another server has them; empty while it does not answer. */
export function createRemoteLists(
  client: BackendClient,
  origin: string,
  observe: ObserveCall,
): Pick<Content, 'selection' | 'categories'> {
  const cache = new LRUCache<string, Promise<unknown>>({ max: maxEntries });

  /** One call for all concurrent callers; never fails. */
  function once<T>(
    name: string,
    call: Parameters<ObserveCall>[0],
    ask: () => Promise<T>,
    empty: T,
  ): Promise<T> {
    const known = cache.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const asked = ask().then(
      (list) => {
        observe(call, null);
        return list;
      },
      (error: unknown) => {
        observe(call, error);
        cache.set(name, Promise.resolve(empty), { ttl: failureTtlMs });
        return empty;
      },
    );
    cache.set(name, asked, { ttl: ttlMs });
    return asked;
  }

  return {
    categories(locale) {
      const ask = async () =>
        readCategories(
          await client.get('/category/list', { language: locale, is_simple: 1, origin_url: origin }),
        );
      return once<Category[]>(`categories ${locale}`, 'category_list', ask, []);
    },
    selection({ locale, start, size }) {
      const query = { origin_url: origin, module: 'posts', len: size, language: locale, start };
      const ask = async () => readSelection(await client.get('/stars/article/recently_hot_article', query));
      return once<ArticleSelection>(`articles ${locale} ${start} ${size}`, 'recently_hot_article', ask, {
        hot: [],
        top: [],
        recently: [],
      });
    },
  };
}
