import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { KeyPart } from '../../../site/configuration/serving.ts';
import type { PageResponse } from '../../http/responses/response.ts';
import { lifeS } from '../../page-cache/prepared-page.ts';
import type { RouteContext } from '../route-context.ts';

/** The request header that each part of a key format is read from; null for what the address says. */
const headers: Readonly<Record<KeyPart, string | null>> = {
  locale: null,
  domain: null,
  device: 'User-Agent',
  os: 'User-Agent',
  browser: 'User-Agent',
  webp: 'Accept',
  login: 'Cookie',
  ab: 'Cookie',
};

/**
 * Lets a proxy or CDN in front cache what this site caches for all visitors, if the operator wants it (RFC 9111,
 * section 5.2.2.10; RFC 5861 for `stale-while-revalidate`). Excludes addresses with a query: only this site knows which
 * parameters matter.
 */
export function sharing({ shared, key_format, expire_s }: SiteConfiguration['page_cache']) {
  const names = [...new Set(key_format.map((part) => headers[part]).filter((name) => name !== null))];
  return (context: RouteContext, kept: PageResponse): PageResponse => {
    if (!shared || context.search !== '') return kept;
    const { responseHeaders } = context;
    context.sharedS = lifeS(kept, expire_s);
    const vary = [responseHeaders.vary, ...names].filter((name) => name !== undefined);
    if (vary.length > 0) responseHeaders.vary = vary.join(', ');
    return kept;
  };
}
