import { LRUCache } from 'lru-cache';
import type { Content } from './content.ts';

/** How long a list may be behind the counting of views; changes by the operator are heard of at once. */
const keptMs = 5000;

/** Answers that are kept: three questions in each of 24 languages, with room for a few sizes. */
const maxKept = 500;

/** Content that remembers what nearly every page asks for. */
export interface KeptLists extends Content {
  /** Called when the operator has changed something. */
  forget(): void;
  /** Another number after each change: what was made of the content before it is out of date. */
  revision(): number;
}

/**
 * Keeps the selections, categories and authors of each language for a moment: nearly every page shows some of them,
 * and they are the same for everybody.
 * @param now milliseconds since any moment
 */
export function keepLists(content: Content, now: () => number = () => performance.now()): KeptLists {
  const kept = new LRUCache<string, Promise<unknown>>({
    max: maxKept,
    ttl: keptMs,
    ttlResolution: 0,
    perf: { now },
  });

  let revision = 0;

  function keep<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const present = kept.get(name) as Promise<T> | undefined;
    if (present !== undefined) return present;
    const asking = ask();
    kept.set(name, asking);
    // A failure is not kept, and only whoever waits for it hears of it.
    asking.catch(() => {
      if (kept.peek(name) === asking) kept.delete(name);
    });
    return asking;
  }

  return {
    ...content,
    selection: (asked) =>
      keep(`selection ${asked.locale} ${asked.start} ${asked.size}`, () => content.selection(asked)),
    categories: (locale) => keep(`categories ${locale}`, () => content.categories(locale)),
    authors: (locale) => keep(`authors ${locale}`, () => content.authors(locale)),
    forget() {
      revision += 1;
      kept.clear();
    },
    revision: () => revision,
  };
}
