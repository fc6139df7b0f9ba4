import type { Feature } from '../../server/feature.ts';
import { pageCacheVariables } from './variables.ts';

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
