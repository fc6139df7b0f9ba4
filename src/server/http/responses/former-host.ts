import type { IncomingHttpHeaders } from 'node:http';
import { redirect } from './redirect.ts';
import type { PageResponse } from './response.ts';

/**
 * Detects the site's former host, the `www.` one, in any spelling: in any case, with a port, with the trailing dot of
 * an absolute name (RFC 3986, 3.2.2).
 * @param origin the public one
 */
export function formerHostOf(origin: string): (host: string) => boolean {
  const former = `www.${new URL(origin).hostname}`;
  return (host) => {
    // Most hosts are others: return early, without allocating.
    if (host.length < former.length) return false;
    return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase() === former;
  };
}

/**
 * Redirects a visitor of the former host to the present one. If only a proxy stated the requested host, no cache in
 * front may store the redirect: many proxies pass on what a visitor writes, and other visitors would be redirected in
 * circles.
 * @param target path and query
 * @param headers of the request
 */
export function toPresentHost(
  status: 301 | 308,
  target: string,
  origin: string,
  { host = '' }: IncomingHttpHeaders,
): PageResponse {
  const response = redirect(status, target, origin);
  if (formerHostOf(origin)(host)) return response;
  return { ...response, headers: { ...response.headers, 'cache-control': 'no-store' } };
}
