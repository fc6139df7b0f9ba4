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
 * Keeps pages in this process, and behind it in a store that several instances share: a page is made and compressed once
 * for all of them, and one that this process has seen costs no question. What is dropped on one is dropped on all.
 */
export function createLayeredPageCache({
  texts,
  signer,
  maxBytes,
  now = () => performance.now(),
  wallNow = Date.now,
}: LayeredPageCacheOptions): PageCache {
  const pages = createLocalPages(maxBytes, now);
  /** Of this process: what is under way meanwhile may show what the drop was for. */
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
      const { answer, until } = unpackPage(verified);
      pages.keep(key, answer, until - wallNow());
      return answer;
    },
    begin() {
      const generationBefore = generation;
      const since = texts.generation;
      return async (key, answer, lifeS) => {
        const prepared = await preparePage(answer);
        if (generation === generationBefore) {
          const lifeMs = lifeS * 1000;
          pages.keep(key, prepared, lifeMs);
          const text = signer.signPage(key, packPage(prepared, wallNow() + lifeMs), lifeS);
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
