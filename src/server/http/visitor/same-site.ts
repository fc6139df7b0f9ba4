import type { IncomingHttpHeaders } from 'node:http';
import type { onRequestHookHandler } from 'fastify';

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

/** Refuses requests of other sites, before any body is read. */
export const refuseOtherSites: onRequestHookHandler = ({ headers }, reply, next) => {
  if (isSameOrigin(headers)) next();
  else void reply.code(403).header('cache-control', 'no-store').type('text/plain').send('403\n');
};
