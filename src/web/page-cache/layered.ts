import type { DroppedEntries, SharedCache } from '../../stores/contracts/shared-cache.ts';
import { createLocalPages } from './local-pages.ts';
import { packPage, unpackPage } from './packed-page.ts';
import type { PageCache } from './page-cache.ts';
import { preparePage } from './prepared-page.ts';
import type { PageSeal } from './sealed-page.ts';

interface LayeredPageCacheOptions {
  readonly texts: SharedCache;
  readonly seal: PageSeal;
  /** Room in this process. */
  readonly maxBytes: number;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
  /** ms since the epoch */
  readonly wallNow?: () => number;
}

/**
 * Keeps pages in this process, and behind it in a store that several instances share: a page is made and compressed once
 * for all of them, and one that this process has seen costs no question. What is dropped on one is dropped on all.
 */
export function createLayeredPageCache({
  texts,
  seal,
  maxBytes,
  now = () => performance.now(),
  wallNow = Date.now,
}: LayeredPageCacheOptions): PageCache {
  const pages = createLocalPages(maxBytes, now);
  /** Of this process: what is under way meanwhile may show what the drop was for. */
  let drops = 0;

  function dropHere(dropped: DroppedEntries): number {
    drops += 1;
    if (dropped === 'all') return pages.clear();
    return 'keys' in dropped ? pages.delete(dropped.keys) : pages.deleteBySuffix(dropped.suffixes);
  }

  async function drop(dropped: DroppedEntries): Promise<number> {
    const here = dropHere(dropped);
    return Math.max(here, await texts.drop(dropped));
  }

  texts.onDrop(dropHere);

  return {
    peek: pages.peek,
    stale: pages.stale,
    async find(key) {
      const dropsBefore = drops;
      const found = await texts.get(key);
      const sealed = found === null ? null : seal.open(key, found.text);
      if (sealed === null || drops !== dropsBefore) return null;
      const { answer, until } = unpackPage(sealed);
      pages.keep(key, answer, until - wallNow());
      return answer;
    },
    begin() {
      const dropsBefore = drops;
      const since = texts.drops;
      return async (key, answer, lifeS) => {
        const prepared = await preparePage(answer);
        if (drops === dropsBefore) {
          const lifeMs = lifeS * 1000;
          pages.keep(key, prepared, lifeMs);
          const text = seal.close(key, packPage(prepared, wallNow() + lifeMs), lifeS);
          // Nobody waits for it.
          void texts.keep(key, { text, label: '' }, lifeMs, since);
        }
        return prepared;
      };
    },
    operations: {
      keys: async (space) =>
        space === 'pages' ? [...new Set([...pages.keys(), ...(await texts.labels()).keys()])] : [],
      getRequest: async () => null,
      delete: async (space, keys) => (space === 'pages' ? drop({ keys }) : 0),
      deleteBySuffix: (suffixes) => drop({ suffixes }),
      reset: () => drop('all'),
    },
  };
}
