import type { IncomingHttpHeaders } from 'node:http';

/**
 * A browser's own statement that a form comes from this site (Fetch Metadata), else the classic comparison of `Origin`
 * with the requested host. The router makes the same check against the public origin, which fails for a site reached
 * under another name (a test machine, an address).
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = headers.origin;
  return origin === undefined || URL.parse(origin)?.host === headers.host;
}
