import type { IncomingHttpHeaders } from 'node:http';

/** A page in the forms in which it is sent. */
interface EncodedBody {
  /** Without its quotes. */
  readonly tag: string;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The response. */
export interface PageResponse {
  readonly status: number;
  /** Names in lower case; without `set-cookie`, `etag`, lengths and encodings, which belong to the sending. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** Empty for a cached response: its body is `encoded` and sent without compressing it again. */
  readonly body: Buffer;
  readonly encoded?: EncodedBody;
}

/** An answer of a few words. */
export function shortResponse(
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): PageResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(body),
  };
}

/** No site has this name (RFC 2606), so a target that leaves it would leave our site. */
const nowhere = 'https://site.invalid';

/**
 * A path on this site as a browser reads it, or null for anything that could lead elsewhere: other schemes, `//host`,
 * `/\host`, `/.//host`, control characters.
 * @param target path, query and fragment
 */
export function sitePath(target: string): string | null {
  if (!target.startsWith('/') || target.length > 8000) return null;
  const url = URL.parse(target, nowhere);
  if (url === null || url.origin !== nowhere || url.username !== '') return null;
  const path = url.pathname + url.search + url.hash;
  return /^\/(?![/\\])/.test(path) ? path : null;
}

/** Browsers and proxies may cache the redirect for a day. */
export const permanently = 'public, max-age=86400';

/** The status with which an address has moved for good: a form is sent there as it is (RFC 9110, 15.4.9). */
export const redirectStatus = (method: string): 301 | 308 =>
  method === 'GET' || method === 'HEAD' ? 301 : 308;

/** Whether a response is a permanent redirect, which is the same for all visitors. */
export const isMoved = (status: number): boolean => status === 301 || status === 308;

/**
 * Redirects to another address of this site.
 * @param target path and query; one that could lead elsewhere becomes the home page
 * @param origin prefix, only when the host itself changes; never taken from a request
 */
export function redirect(status: 301 | 302 | 303 | 308, target: string, origin = ''): PageResponse {
  const location = origin + (sitePath(target) ?? '/');
  return shortResponse(status, '', { location, ...(isMoved(status) && { 'cache-control': permanently }) });
}

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
