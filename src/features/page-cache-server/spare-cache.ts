import type { SharedCache } from '../../stores/contracts/shared-cache.ts';

/** Which of the two a number of drops is from: those of the spare one are below zero. */
const ofSpare = (drops: number) => -1 - drops;

/** Texts that are kept in a spare place while the one that is shared cannot be asked. */
export function withSpareCache(texts: SharedCache, spare: SharedCache): SharedCache {
  const isAway = () => texts.generation === null;
  // What is dropped there may be here, too.
  texts.onDrop((dropped) => void spare.drop(dropped));
  return {
    get generation() {
      return texts.generation ?? ofSpare(spare.generation ?? 0);
    },
    get: (key) => (isAway() ? spare : texts).get(key),
    keep: (key, kept, lifeMs, since) =>
      since !== null && since < 0
        ? spare.keep(key, kept, lifeMs, ofSpare(since))
        : texts.keep(key, kept, lifeMs, since),
    labels: () => (isAway() ? spare : texts).labels(),
    async drop(dropped) {
      const [shared, own] = await Promise.all([texts.drop(dropped), spare.drop(dropped)]);
      return Math.max(shared, own);
    },
    onDrop: (listener) => texts.onDrop(listener),
  };
}
