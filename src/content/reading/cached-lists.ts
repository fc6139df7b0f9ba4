import { createMemo } from '../../stores/shared-work/memo.ts';
import type { Content } from '../content.ts';
import { isStandIn } from '../stand-in.ts';

/** How long a list may lag behind the view counts; the operator's changes apply at once. */
const ttlMs = 5000;

/** Entries: three lists in each of 24 languages, with room for a few sizes. */
const maxEntries = 500;

/**
 * Caches the selections, categories and authors of each language briefly: nearly every page shows some of them, and
 * they are the same for all visitors.
 * @param now milliseconds since any moment
 */
export function cacheLists(content: Content, now?: () => number) {
  const cache = createMemo<object>({
    ...{ max: maxEntries, ttlMs },
    // What stands in for a list is for the waiting callers only.
    keeps: (list) => !isStandIn(list),
    ...(now !== undefined && { now }),
  });
  let revision = 0;
  const cached = <T extends object>(name: string, ask: () => Promise<T>) =>
    cache.get(name, ask) as Promise<T>;
  return {
    ...content,
    selection: (asked: Parameters<Content['selection']>[0]) =>
      cached(`selection ${asked.locale} ${asked.start} ${asked.size}`, () => content.selection(asked)),
    categories: (locale: string) => cached(`categories ${locale}`, () => content.categories(locale)),
    authors: (locale: string) => cached(`authors ${locale}`, () => content.authors(locale)),
    /** Called when the operator has changed something. */
    clear() {
      revision += 1;
      cache.clear();
    },
    /** Another number after each change: what was made of the content before it is out of date. */
    revision: () => revision,
  };
}
