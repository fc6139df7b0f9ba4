import type { IncomingHttpHeaders } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { isCrawler, shortAgent } from './user-agent.ts';

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

/** Headers of requests that fetch ahead (Speculation Rules; before them Chrome, Safari and Firefox). */
const aheadHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Whether somebody will read the response, as far as the request states it (Fetch Metadata): a navigation, or a request
 * of this site's own scripts. Prefetches, pictures and frames of other sites, and crawlers do not count. Clients that
 * send no such header count as readers.
 */
export function hasReader({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean {
  if (method === 'HEAD' || aheadHeaders.some((name) => headers[name] !== undefined)) return false;
  if (isCrawler(shortAgent(headers['user-agent']))) return false;
  const { 'sec-fetch-dest': destination = 'document', 'sec-fetch-site': site = 'none' } = headers;
  if (destination === 'empty') return site === 'same-origin' || site === 'none';
  return destination === 'document';
}
