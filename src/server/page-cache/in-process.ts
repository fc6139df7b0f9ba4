import type { PageAnswer } from '../http/answer.ts';
import { createBoundedStore } from './bounded-store.ts';
import type { PageCache } from './page-cache.ts';
import { bytesOfPage, preparePage } from './prepared-page.ts';

interface KeptPage {
  readonly answer: PageAnswer;
  /** Until when it may be shown without a need, by the clock. */
  readonly freshUntil: number;
}

/** How long a page that is too old may still be shown while it cannot be made anew. */
const staleMs = 3_600_000;

/**
 * Keeps pages in the memory of this process.
 * @param now monotonic clock in ms
 */
export function createPageCache(maxBytes: number, now = () => performance.now()): PageCache {
  const pages = createBoundedStore<KeptPage>({ maxBytes, bytesOf: ({ answer }) => bytesOfPage(answer), now });
  let drops = 0;
  const dropped = (count: number): Promise<number> => {
    drops += 1;
    return Promise.resolve(count);
  };
  return {
    peek(key) {
      const page = pages.get(key)?.value;
      return page !== undefined && page.freshUntil > now() ? page.answer : undefined;
    },
    stale: (key) => pages.get(key)?.value.answer,
    find: async () => null,
    begin() {
      const dropsBefore = drops;
      return async (key, answer, lifeS) => {
        const prepared = await preparePage(answer);
        // What was rendered before a drop may show what the drop was for.
        if (drops === dropsBefore) {
          const value = { answer: prepared, freshUntil: now() + lifeS * 1000 };
          pages.set(key, { value, version: '' }, lifeS * 1000 + staleMs);
        }
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
