import type { PageAnswer } from '../http/answers/answer.ts';
import { pagePath } from '../http/page-url.ts';

/** What else than pages a cache may hold: answers of backends. */
export type CacheSpace = 'pages' | 'requests';

/** What an operator may do to a cache; the calls of the protocol. */
export interface CacheOperations {
  keys(space: CacheSpace): Promise<readonly string[]>;
  /** The text under a key of the `requests`, null when there is none. */
  getRequest(key: string): Promise<string | null>;
  /** @returns how many there were, where the cache says so */
  delete(space: CacheSpace, keys: readonly string[]): Promise<number>;
  deleteBySuffix(suffixes: readonly string[]): Promise<number>;
  /** Drops all pages. */
  reset(): Promise<number>;
}

/** Where finished pages are kept. */
export interface PageCache {
  /** A page that this process has at hand, undefined when that is not known at once. */
  peek(key: string): PageAnswer | undefined;
  /** A page that is too old, for a time in which it cannot be made anew; undefined when there is none. */
  stale(key: string): PageAnswer | undefined;
  /** A page that is kept elsewhere; null when there is none, or none in time. Never fails. */
  find(key: string): Promise<PageAnswer | null>;
  /** Begins to make a page; what is dropped from then on is not kept when it is finished. */
  begin(): KeepPage;
  readonly operations: CacheOperations;
}

/**
 * Keeps a finished page for some seconds.
 * @returns the page in the form in which it is sent
 */
type KeepPage = (key: string, answer: PageAnswer, lifeS: number) => Promise<PageAnswer>;

/**
 * Drops pages whose content has changed, in all their forms, and has nothing kept that is being made meanwhile.
 * @param touches whether a page is to go, by its path with its language: `/`, `/de/posts/7`
 */
export async function dropPages(
  { operations }: PageCache,
  touches: (path: string) => boolean,
): Promise<number> {
  // From now on nothing is kept that was begun before, also what is finished between the look and the drop.
  await operations.delete('pages', []);
  const keys = await operations.keys('pages');
  const touched = keys.filter((key) => {
    const path = key.slice(key.indexOf('/'));
    return touches(pagePath(path, path.endsWith('.data') ? 'data' : 'document').replace(/(?<=.)\/$/, ''));
  });
  return operations.delete('pages', touched);
}
