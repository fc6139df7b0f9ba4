import type { SharedCache } from '../../stores/contracts/shared-cache.ts';

/** Generations of the fallback cache are negative, to distinguish them from the shared cache's. */
const spareGeneration = (generation: number) => -1 - generation;

/** Uses a fallback cache while the shared one is unreachable. */
export function withFallbackCache(texts: SharedCache, spare: SharedCache): SharedCache {
  const isAway = () => texts.generation === null;
  // The fallback may hold what the shared cache drops.
  texts.onDrop((dropped) => void spare.drop(dropped));
  return {
    get generation() {
      return texts.generation ?? spareGeneration(spare.generation ?? 0);
    },
    get: (key) => (isAway() ? spare : texts).get(key),
    keep: (key, kept, lifeMs, since) =>
      since !== null && since < 0
        ? spare.keep(key, kept, lifeMs, spareGeneration(since))
        : texts.keep(key, kept, lifeMs, since),
    labels: () => (isAway() ? spare : texts).labels(),
    async drop(dropped) {
      const [shared, own] = await Promise.all([texts.drop(dropped), spare.drop(dropped)]);
      return Math.max(shared, own);
    },
    onDrop: (listener) => texts.onDrop(listener),
  };
}
