import type { DroppedEntries, SharedCache } from '../../stores/contracts/shared-cache.ts';
import { createLocalPages } from './local-pages.ts';
import { packPage, unpackPage } from './packed-page.ts';
import type { PageCache } from './page-cache.ts';
import { preparePage } from './prepared-page.ts';
import type { PageSigner } from './signed-page.ts';

interface LayeredPageCacheOptions {
  readonly texts: SharedCache;
  readonly signer: PageSigner;
  /** Room in this process. */
  readonly maxBytes: number;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
  /** ms since the epoch */
  readonly wallNow?: () => number;
}

/**
 * Caches pages in this process, with a store shared by several instances behind it: a page is rendered and compressed
 * once for all of them, and a page that this process has seen needs no request. A drop on one instance applies to all.
 */
export function createLayeredPageCache({
  texts,
  signer,
  maxBytes,
  now = () => performance.now(),
  wallNow = Date.now,
}: LayeredPageCacheOptions): PageCache {
  const pages = createLocalPages(maxBytes, now);
  /** The generation of this process: pages being rendered during a drop may show the old content. */
  let generation = 0;

  function dropHere(dropped: DroppedEntries): number {
    generation += 1;
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
      const generationBefore = generation;
      const found = await texts.get(key);
      const verified = found === null ? null : signer.verifyPage(key, found.text);
      if (verified === null || generation !== generationBefore) return null;
      const { response, until } = unpackPage(verified);
      pages.keep(key, response, until - wallNow());
      return response;
    },
    begin() {
      const generationBefore = generation;
      const since = texts.generation;
      return async (key, response, lifeS) => {
        const prepared = await preparePage(response);
        if (generation === generationBefore) {
          const lifeMs = lifeS * 1000;
          pages.keep(key, prepared, lifeMs);
          const text = signer.signPage(key, packPage(prepared, wallNow() + lifeMs), lifeS);
          // Deliberately not awaited.
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
