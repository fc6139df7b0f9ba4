import type { PageResponse } from '../../server/http/responses/response.ts';
import { consentOf } from '../../server/http/visitor/request-consent.ts';
import type { RouteContext, RouteStep } from '../../server/pipeline/route-context.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';

/**
 * The allowed scripts of the tag's host: only the configured one, or the folder from which gtag.js loads its further
 * parts (`/gtag/js`, `/gtag/destination`). A path without a trailing slash matches exactly (CSP level 3, 6.7.2.11).
 */
function scriptSource({ origin, pathname }: URL): string {
  const path = pathname === '/' || pathname === '/gtag/js' ? '/gtag/' : pathname;
  // The two characters that end a source (CSP level 3, 2.3.1).
  return origin + path.replace(/[;,]/g, encodeURIComponent);
}

/**
 * A page's policy, opened for the tag script: what it loads and sends, and the default policy by which it may name
 * further scripts.
 * @param connect further origins that it may report to
 */
function openedFor(policy: string, host: URL, connect: readonly string[]): string {
  return policy
    .split('; ')
    .map((directive) => {
      const [name] = directive.split(' ', 1);
      if (name === 'script-src') return `${directive} ${scriptSource(host)}`;
      if (name === 'connect-src') return [directive, host.origin, ...connect].join(' ');
      if (name === 'img-src') return `${directive} ${host.origin}`;
      return name === 'trusted-types' ? `${directive.replace(" 'none'", '')} default` : directive;
    })
    .join('; ');
}

/**
 * Opens a page's policy for the tag script of its language, for a visitor who agreed to marketing, on their own answer
 * alone: a kept page has the usual one. What the script loads comes without credentials.
 */
export function openForTag(
  { headers }: PageResponse,
  exchange: Pick<RouteContext, 'address' | 'responseHeaders' | 'headers' | 'sharedS'>,
  { tag_host, tag_ids, tag_connect, consent }: SiteConfiguration,
): void {
  const policy = headers['content-security-policy'];
  if (tag_host === undefined || policy === undefined || tag_ids[exchange.address.locale] === undefined)
    return;
  if (!consentOf(exchange.headers, consent).marketing) return;
  exchange.responseHeaders['content-security-policy'] = openedFor(policy, new URL(tag_host), tag_connect);
  exchange.responseHeaders['cross-origin-embedder-policy'] = 'credentialless';
  exchange.sharedS = 0;
}

/** The step that opens the policy of pages, those from the cache included. */
export const tagPolicy = (configuration: SiteConfiguration): RouteStep => ({
  name: 'tag-policy',
  before: (next) => async (context) => {
    const page = await next(context);
    openForTag(page, context, configuration);
    return page;
  },
});
