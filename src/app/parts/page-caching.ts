import type { Core } from '../../server/feature.ts';
import { createPageCache } from '../../server/page-cache/cached-pages.ts';
import type { PageCache } from '../../server/page-cache/page-cache.ts';
import { createPageSigner } from '../../server/page-cache/signed-page.ts';

/**
 * Caches pages in this process, with a second level on Redis. Pages of another build refer to scripts that this build does
 * not have: each build has a space of its own.
 */
export function openPageCache({ redis, configuration, site: { version }, secret }: Core): PageCache {
  const { domain, max_mb } = configuration.page_cache;
  const maxBytes = max_mb * 2 ** 20;
  const shared = redis && {
    texts: redis.openCache(`pages-${version}`, maxBytes),
    signer: createPageSigner({ secret, domain, version }),
  };
  return createPageCache({ maxBytes, shared });
}
