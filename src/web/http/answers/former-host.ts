import type { IncomingHttpHeaders } from 'node:http';
import type { PageAnswer } from './answer.ts';
import { redirect } from './redirect.ts';

/**
 * Tells the site's former host, the `www.` one, however a visitor's program writes it: in any case, with a port, with
 * the dot at its end that marks a whole name (RFC 3986, 3.2.2).
 * @param origin the public one
 */
export function formerHostOf(origin: string): (host: string) => boolean {
  const former = `www.${new URL(origin).hostname}`;
  return (host) => {
    // Most are another: nothing is made of them.
    if (host.length < former.length) return false;
    return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase() === former;
  };
}

/**
 * Sends a visitor of the former host to the present one. Where only a proxy said which host was asked for, no cache in
 * front may keep that: many let pass what a visitor says in its name, and others would be sent in circles.
 * @param target path and query
 * @param headers of the request
 */
export function toPresentHost(
  status: 301 | 308,
  target: string,
  origin: string,
  { host = '' }: IncomingHttpHeaders,
): PageAnswer {
  const answer = redirect(status, target, origin);
  if (formerHostOf(origin)(host)) return answer;
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
}
