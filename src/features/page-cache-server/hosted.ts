import { Counter } from 'prom-client';
import type { Core } from '../../server/feature.ts';
import type { PageCache } from '../../server/page-cache/page-cache.ts';
import { createPageSigner } from '../../server/page-cache/signed-page.ts';
import { createProtocolClient } from './client.ts';
import { createRemotePageCache } from './remote.ts';

/** Caches pages on the cache host that the environment names. */
export function hostedPageCache(
  url: string,
  { environment, configuration: { page_cache }, site, metrics, logger, secret }: Core,
): PageCache {
  if (environment.SECRET_KEY === undefined)
    logger.warn('PAGE_CACHE_URL without SECRET_KEY: instances with different keys cannot share pages');
  const failures = new Counter({
    name: 'clipferry_page_cache_failures_total',
    help: 'Calls of the shared page cache that failed; the pages were made anew.',
    registers: [metrics],
  });
  const client = createProtocolClient({
    url,
    domain: page_cache.domain,
    onFailure(error) {
      failures.inc();
      logger.warn({ err: error }, 'the page cache does not answer');
    },
  });
  // Pages of other builds refer to scripts that no longer exist.
  void client.count('/clearByVersion', { ts: site.version });
  const { version } = site;
  const { domain, max_mb } = page_cache;
  return createRemotePageCache({
    client,
    signer: createPageSigner({ secret, domain, version }),
    version,
    maxBytes: max_mb * 2 ** 20,
  });
}
