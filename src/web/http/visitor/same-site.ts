import type { IncomingHttpHeaders } from 'node:http';

/**
 * A browser's own word that a form comes from this site (Fetch Metadata), else the classic comparison of `Origin`
 * with the host that was asked. The router makes the same check against the public origin, which a site that is
 * looked at through another name (a test machine, an address) would fail.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = headers.origin;
  return origin === undefined || URL.parse(origin)?.host === headers.host;
}
