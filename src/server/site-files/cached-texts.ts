import { LRUCache } from 'lru-cache';
import { type SharedText, sharedText } from '../http/responses/send.ts';

/** All feeds of a language, as deep as readers usually look, take a tenth of it. */
const maxCachedBytes = 8 * 2 ** 20;
/** The operator's changes apply at once; another server's lists may change unannounced. */
const cacheLifeMs = 600_000;

/**
 * Returns a text generated from the content.
 * @param name unique for each text
 * @param make null when the text does not exist, which is not cached
 */
export type CachedTexts = (name: string, make: () => Promise<string | null>) => Promise<SharedText | null>;

/**
 * Generates each text once for concurrent callers, and caches it until the content changes.
 * @param revision of the content
 */
export function createCachedTexts(revision: () => number): CachedTexts {
  const kept = new LRUCache<string, SharedText, () => Promise<string | null>>({
    maxSize: maxCachedBytes,
    ttl: cacheLifeMs,
    sizeCalculation: ({ size }) => size,
    async fetchMethod(_name, _old, { context: make }) {
      const text = await make();
      return text === null ? undefined : sharedText(text);
    },
    // A text that found no room is still for those who wait.
    ignoreFetchAbort: true,
  });
  return async (of, make) => (await kept.fetch(`${revision()} ${of}`, { context: make })) ?? null;
}
