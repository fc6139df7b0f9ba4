import type { Environment } from '../../process/environment.ts';
import type { BuiltSite, ServerDependencies } from '../../server/instance/parts.ts';
import { createPageCache } from '../../server/page-cache/cached-pages.ts';
import type { PageCache } from '../../server/page-cache/page-cache.ts';
import { createPageSigner } from '../../server/page-cache/signed-page.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { SharedRedis } from '../../stores/open/redis.ts';

interface PageCachingOptions {
  readonly environment: Pick<Environment, 'PAGE_CACHE' | 'CACHE_ADMIN_SECRET'>;
  readonly configuration: SiteConfiguration;
  readonly site: BuiltSite;
  /** Signs pages cached outside this process. */
  readonly secret: Uint8Array;
  readonly redis: SharedRedis | null;
}

/** Caches pages in this process, with a second level on Redis. @param shared a feature's cache, used instead */
export function assemblePageCache(
  options: PageCachingOptions,
  shared: PageCache | undefined,
): Pick<ServerDependencies, 'pageCache' | 'pageCacheForced' | 'cacheAdminSecret'> {
  const { environment, site } = options;
  return {
    pageCache: shared ?? ownPageCache(options),
    pageCacheForced: environment.PAGE_CACHE ?? (site.isDevelopment ? false : null),
    cacheAdminSecret: environment.CACHE_ADMIN_SECRET ?? null,
  };
}

/** Pages of another build refer to scripts that this build does not have: each build has a space of its own. */
function ownPageCache({ redis, configuration, site: { version }, secret }: PageCachingOptions): PageCache {
  const { domain, max_mb } = configuration.page_cache;
  const maxBytes = max_mb * 2 ** 20;
  const shared = redis && {
    texts: redis.openCache(`pages-${version}`, maxBytes),
    signer: createPageSigner({ secret, domain, version }),
  };
  return createPageCache({ maxBytes, shared });
}
