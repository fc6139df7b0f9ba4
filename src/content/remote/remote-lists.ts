import { LRUCache } from 'lru-cache';
import type { BackendClient } from '../../http-client/client.ts';
import type { ArticleSelection, Category, Content } from '../content.ts';
import { isStandIn, standIn, standInLifeS } from '../stand-in.ts';
import { readCategories, readSelection } from './wire.ts';

/** How long a response is used, so that pages seldom wait for the backend; shorter for a failure. */
const ttlMs = 60_000;
const failureTtlMs = standInLifeS * 1000;
const maxEntries = 200;
/** Articles that are requested at once: other servers of this kind give no more. */
const perCall = 10;

const names = ['hot', 'top', 'recently'] as const;

/** Called for every call. */
type ObserveCall = (call: 'category_list' | 'recently_hot_article', error: unknown) => void;

/** The lists of articles and categories as another server has them; empty while it does not answer. */
export function createRemoteLists(
  client: BackendClient,
  origin: string,
  observe: ObserveCall,
): Pick<Content, 'selection' | 'categories'> {
  const cache = new LRUCache<string, Promise<unknown>>({ max: maxEntries });

  /** One call for all concurrent callers; never fails, see {@link standIn}. */
  function once<T extends object>(
    name: string,
    call: Parameters<ObserveCall>[0],
    ask: () => Promise<T>,
    empty: () => T,
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
        const list = standIn(empty());
        cache.set(name, Promise.resolve(list), { ttl: failureTtlMs });
        return list;
      },
    );
    cache.set(name, asked, { ttl: ttlMs });
    return asked;
  }

  async function page(locale: string, start: number): Promise<ArticleSelection> {
    const query = { origin_url: origin, module: 'posts', len: perCall, language: locale, start };
    const ask = async () => readSelection(await client.get('/stars/article/recently_hot_article', query));
    return once(`articles ${locale} ${start}`, 'recently_hot_article', ask, () => ({
      hot: [],
      top: [],
      recently: [],
    }));
  }

  return {
    categories(locale) {
      const ask = async () =>
        readCategories(
          await client.get('/category/list', { language: locale, is_simple: 1, origin_url: origin }),
        );
      return once<Category[]>(`categories ${locale}`, 'category_list', ask, () => []);
    },
    async selection({ locale, start, size }) {
      const first = await page(locale, start);
      const lists = { hot: [...first.hot], top: [...first.top], recently: [...first.recently] };
      let isAway = isStandIn(first);
      const isMore = (read: number) => names.some((name) => lists[name].length >= read);
      for (let read = perCall; read < size && !isAway && isMore(read); read += perCall) {
        const next = await page(locale, start + read);
        for (const name of names) lists[name].push(...next[name]);
        isAway = isStandIn(next);
      }
      for (const name of names) lists[name].splice(size);
      return isAway ? standIn(lists) : lists;
    },
  };
}
