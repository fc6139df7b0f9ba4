import type { IncomingHttpHeaders } from 'node:http';
import { isCrawler, shortAgent } from './user-agent.ts';

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
