import { createLocalPages } from './local-pages.ts';
import type { PageCache } from './page-cache.ts';
import { preparePage } from './prepared-page.ts';

/** Caches pages in the memory of this process. @param now monotonic clock in ms */
export function createPageCache(maxBytes: number, now = () => performance.now()): PageCache {
  const pages = createLocalPages(maxBytes, now);
  let generation = 0;
  const dropped = (count: number): Promise<number> => {
    generation += 1;
    return Promise.resolve(count);
  };
  return {
    peek: pages.peek,
    stale: pages.stale,
    find: async () => null,
    begin() {
      const generationBefore = generation;
      return async (key, response, lifeS) => {
        const prepared = await preparePage(response);
        // A page rendered before a drop may show the old content.
        if (generation === generationBefore) pages.keep(key, prepared, lifeS * 1000);
        return prepared;
      };
    },
    operations: {
      keys: async (space) => (space === 'pages' ? pages.keys() : []),
      getRequest: async () => null,
      delete: (space, keys) => dropped(space === 'pages' ? pages.delete(keys) : 0),
      deleteBySuffix: (suffixes) => dropped(pages.deleteBySuffix(suffixes)),
      reset: () => dropped(pages.clear()),
    },
  };
}
