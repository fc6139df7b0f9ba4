import { LRUCache } from 'lru-cache';
import { type SharedText, sharedText } from '../http/answers/send.ts';

/** All feeds of a language, as deep as readers usually look, take a tenth of it. */
const keptBytes = 8 * 2 ** 20;
/** What the operator changes shows at once; lists of another server may change without a word. */
const keptMs = 600_000;

/**
 * Gives a text that is made of the content.
 * @param name another one for each text
 * @param make null where there is no such text, which is not kept
 */
export type KeptTexts = (name: string, make: () => Promise<string | null>) => Promise<SharedText | null>;

/**
 * Has each text made once for all who ask, and keeps it until the content changes.
 * @param revision of the content
 */
export function createKeptTexts(revision: () => number): KeptTexts {
  const kept = new LRUCache<string, SharedText>({
    maxSize: keptBytes,
    ttl: keptMs,
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
