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
  const kept = new LRUCache<string, SharedText>({
    maxSize: maxCachedBytes,
    ttl: cacheLifeMs,
    sizeCalculation: ({ size }) => size,
  });
  const making = new Map<string, Promise<SharedText | null>>();

  async function makeNow(name: string, make: () => Promise<string | null>): Promise<SharedText | null> {
    const text = await make();
    if (text === null) return null;
    const shared = sharedText(text);
    kept.set(name, shared);
    return shared;
  }

  return async (of, make) => {
    const name = `${revision()} ${of}`;
    const present = kept.get(name) ?? making.get(name);
    if (present !== undefined) return present;
    const made = makeNow(name, make).finally(() => making.delete(name));
    making.set(name, made);
    return made;
  };
}
