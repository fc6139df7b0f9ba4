import { LRUCache } from 'lru-cache';
import type { Content } from '../content.ts';
import { isStandIn } from '../stand-in.ts';

/** How long a list may lag behind the view counts; the operator's changes apply at once. */
const ttlMs = 5000;

/** Entries: three lists in each of 24 languages, with room for a few sizes. */
const maxEntries = 500;

/** Content whose lists are cached. */
export interface CachedContent extends Content {
  /** Called when the operator has changed something. */
  clear(): void;
  /** Another number after each change: what was made of the content before it is out of date. */
  revision(): number;
}

/**
 * Caches the selections, categories and authors of each language briefly: nearly every page shows some of them, and
 * they are the same for all visitors.
 * @param now milliseconds since any moment
 */
export function cacheLists(content: Content, now: () => number = () => performance.now()): CachedContent {
  const cache = new LRUCache<string, Promise<unknown>>({
    max: maxEntries,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now },
  });

  let revision = 0;

  function cached<T extends object>(name: string, ask: () => Promise<T>): Promise<T> {
    const present = cache.get(name) as Promise<T> | undefined;
    if (present !== undefined) return present;
    const asking = ask();
    cache.set(name, asking);
    const forget = () => {
      if (cache.peek(name) === asking) cache.delete(name);
    };
    // Failures, and what stands in for a list, are not cached; only the waiting callers get them.
    asking.then((list) => isStandIn(list) && forget(), forget);
    return asking;
  }

  return {
    ...content,
    selection: (asked) =>
      cached(`selection ${asked.locale} ${asked.start} ${asked.size}`, () => content.selection(asked)),
    categories: (locale) => cached(`categories ${locale}`, () => content.categories(locale)),
    authors: (locale) => cached(`authors ${locale}`, () => content.authors(locale)),
    clear() {
      revision += 1;
      cache.clear();
    },
    revision: () => revision,
  };
}
