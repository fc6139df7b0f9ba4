import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { createProtocolClient } from '../../features/page-cache-server/client.ts';
import { createRemotePageCache } from '../../features/page-cache-server/remote.ts';
import type { Environment } from '../../process/environment.ts';
import type { SharedRedis } from '../../stores/open/redis.ts';
import type { Serving } from '../../web/configuration/serving.ts';
import { createPageCache } from '../../web/page-cache/in-process.ts';
import { createLayeredPageCache } from '../../web/page-cache/layered.ts';
import type { PageCache } from '../../web/page-cache/page-cache.ts';
import { createPageSigner } from '../../web/page-cache/signed-page.ts';
import type { BuiltSite, ServerParts } from '../../web/server/parts.ts';

interface PageCachingOptions {
  readonly environment: Pick<
    Environment,
    'PAGE_CACHE' | 'PAGE_CACHE_URL' | 'CACHE_ADMIN_SECRET' | 'SECRET_KEY'
  >;
  readonly serving: Serving;
  readonly site: BuiltSite;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Seals what is kept outside of this process. */
  readonly secret: Uint8Array;
  readonly redis: SharedRedis | null;
}

/** Pages are kept in this process, behind it on Redis, or on the cache host that the environment names. */
export function assemblePageCache(
  options: PageCachingOptions,
): Pick<ServerParts, 'pageCache' | 'pageCacheForced' | 'cacheAdminSecret'> {
  const { environment, site } = options;
  return {
    pageCache: pickPageCache(options),
    pageCacheForced: environment.PAGE_CACHE ?? (site.isDevelopment ? false : null),
    cacheAdminSecret: environment.CACHE_ADMIN_SECRET ?? null,
  };
}

function pickPageCache(options: PageCachingOptions): PageCache {
  const { environment, redis, serving, site, secret } = options;
  const { domain, maxBytes } = serving.pageCache;
  if (environment.PAGE_CACHE_URL !== undefined) return hostedPageCache(environment.PAGE_CACHE_URL, options);
  if (redis === null) return createPageCache(maxBytes);
  const { version } = site;
  return createLayeredPageCache({
    // Pages of another build ask for scripts that are not here.
    texts: redis.openCache(`pages-${version}`, maxBytes),
    signer: createPageSigner({ secret, domain, version }),
    maxBytes,
  });
}

function hostedPageCache(
  url: string,
  { environment, serving, site, metrics, logger, secret }: PageCachingOptions,
) {
  if (environment.SECRET_KEY === undefined)
    logger.warn('PAGE_CACHE_URL without SECRET_KEY: instances with keys of their own share no pages');
  const failures = new Counter({
    name: 'clipferry_page_cache_failures_total',
    help: 'Calls of the shared page cache that failed; the pages were made anew.',
    registers: [metrics],
  });
  const client = createProtocolClient({
    url,
    domain: serving.pageCache.domain,
    onFailure(error) {
      failures.inc();
      logger.warn({ err: error }, 'the page cache does not answer');
    },
  });
  // What other builds made asks for scripts that are gone.
  void client.count('/clearByVersion', { ts: site.version });
  const { version } = site;
  const { domain, maxBytes } = serving.pageCache;
  return createRemotePageCache({
    client,
    signer: createPageSigner({ secret, domain, version }),
    version,
    maxBytes,
  });
}
