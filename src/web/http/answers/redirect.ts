import { type PageAnswer, shortAnswer } from './answer.ts';

/** No site has this name (RFC 2606), so a target that leaves it would leave ours. */
const nowhere = 'https://site.invalid';

/**
 * A path on this site as a browser would read it, or null for everything that could lead elsewhere: other schemes,
 * `//host`, `/\host`, `/.//host`, control characters.
 * @param target path, query and fragment
 */
export function sitePath(target: string): string | null {
  if (!target.startsWith('/') || target.length > 8000) return null;
  const url = URL.parse(target, nowhere);
  if (url === null || url.origin !== nowhere || url.username !== '') return null;
  const path = url.pathname + url.search + url.hash;
  return /^\/(?![/\\])/.test(path) ? path : null;
}

/** Browsers and proxies need not ask again for a day. */
export const permanently = 'public, max-age=86400';

/** The status with which an address has moved for good: a form is sent there as it is (RFC 9110, 15.4.9). */
export const redirectStatus = (method: string): 301 | 308 =>
  method === 'GET' || method === 'HEAD' ? 301 : 308;

/** Whether an answer says that its address has moved for good: it is the same to everybody. */
export const isMoved = (status: number): boolean => status === 301 || status === 308;

/**
 * Sends a visitor to another address of this site.
 * @param target path and query; one that could lead elsewhere leads to the home page
 * @param origin put before it; only where the host itself is to change, and never taken from a request
 */
export function redirect(status: 301 | 302 | 303 | 308, target: string, origin = ''): PageAnswer {
  const location = origin + (sitePath(target) ?? '/');
  return shortAnswer(status, '', { location, ...(isMoved(status) && { 'cache-control': permanently }) });
}
