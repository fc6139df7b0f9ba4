import { defineVariables, webAddress, wholeNumber } from '../../process/variables.ts';
import type { Feature } from '../../server/feature.ts';

/** The variables of instances and of the program that holds their pages. */
export const pageCacheVariables = defineVariables({
  PAGE_CACHE_URL: webAddress.optional(),
  PAGE_CACHE_PORT: wholeNumber(0, 65_535).default(40_010),
  PAGE_CACHE_MB: wholeNumber(1, 100_000).default(256),
});

export default {
  variables: pageCacheVariables,
  /** Caches pages on the cache host that the environment names. Most sites never load it. */
  async open(core) {
    const { PAGE_CACHE_URL: url } = pageCacheVariables.read(core.environment);
    if (url === undefined) return {};
    const { hostedPageCache } = await import('./remote.ts');
    return { pageCache: hostedPageCache(url, core) };
  },
} satisfies Feature;
