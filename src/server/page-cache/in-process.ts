import type { PageAnswer } from '../pipeline/exchange.ts';
import { createBoundedStore } from './bounded-store.ts';
import type { PageCache } from './page-cache.ts';
import { bytesOfPage, preparePage } from './prepared-page.ts';

/**
 * Keeps pages in the memory of this process.
 * @param now monotonic clock in ms
 */
export function createPageCache(maxBytes: number, now?: () => number): PageCache {
  const pages = createBoundedStore<PageAnswer>({
    maxBytes,
    bytesOf: bytesOfPage,
    ...(now !== undefined && { now }),
  });
  let drops = 0;
  const dropped = (count: number): Promise<number> => {
    drops += 1;
    return Promise.resolve(count);
  };
  return {
    peek: (key) => pages.get(key)?.value,
    find: async () => null,
    begin() {
      const dropsBefore = drops;
      return async (key, answer, lifeS) => {
        const prepared = await preparePage(answer);
        // What was rendered before a drop may show what the drop was for.
        if (drops === dropsBefore) pages.set(key, { value: prepared, version: '' }, lifeS * 1000);
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
