import { parseSetCookie } from 'cookie';
import type { CookieStore } from '../../../network/contracts.ts';

/** The platform's domains: a cookie is kept for one of them or a host below it, and never for a wider one. */
const domains = ['tiktok.com', 'tiktokv.com', 'tiktokv.us', 'tiktokv.eu'];

const maxCookies = 40;
const maxCookieBytes = 2_048;
const maxHeaderBytes = 4_096;

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Without a leading dot. */
  readonly domain: string;
  /** Only for this host, not for hosts below it. */
  readonly hostOnly: boolean;
  readonly path: string;
  /** ms since the epoch; infinite for a session. */
  readonly expiresAt: number;
}

/**
 * A jar of cookies as a browser has for an anonymous visitor (RFC 6265, sections 5.3 and 5.4), for the platform's own
 * domains. Bounded: 40 cookies of 2 kB, a header of 4 kB. All addresses are https, so `Secure` needs no attention, and
 * no script reads it, so `HttpOnly` does not either.
 */
export class Jar implements CookieStore {
  readonly #now: () => number;
  readonly #cookies = new Map<string, Cookie>();
  /** When it got its first cookie, in ms since the epoch; null while it is empty. */
  #filledAt: number | null = null;

  /** @param now ms since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#cookies.size;
  }

  get filledAt(): number | null {
    return this.#filledAt;
  }

  headerFor(url: string): string | null {
    const { hostname, pathname } = new URL(url);
    const now = this.#now();
    const pairs: string[] = [];
    let length = 0;
    for (const [key, cookie] of this.#cookies) {
      if (cookie.expiresAt <= now) {
        this.#cookies.delete(key);
        continue;
      }
      if (!isFor(cookie, hostname, pathname)) continue;
      const pair = `${cookie.name}=${cookie.value}`;
      length += pair.length + 2;
      if (length > maxHeaderBytes) break;
      pairs.push(pair);
    }
    return pairs.length === 0 ? null : pairs.join('; ');
  }

  store(url: string, setCookies: readonly string[]): void {
    const from = new URL(url);
    for (const line of setCookies) {
      const cookie = readSetCookie(line, from, this.#now());
      if (cookie === null) continue;
      const key = `${cookie.name};${cookie.domain};${cookie.path}`;
      this.#cookies.delete(key);
      if (cookie.expiresAt <= this.#now()) continue;
      // The oldest goes first.
      const [oldest] = this.#cookies.keys();
      if (this.#cookies.size >= maxCookies && oldest !== undefined) this.#cookies.delete(oldest);
      this.#cookies.set(key, cookie);
      this.#filledAt ??= this.#now();
    }
  }
}

const isBelow = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

function isFor({ domain, hostOnly, path }: Cookie, host: string, requested: string): boolean {
  if (hostOnly ? host !== domain : !isBelow(host, domain)) return false;
  return (
    requested === path ||
    (requested.startsWith(path) && (path.endsWith('/') || requested[path.length] === '/'))
  );
}

/** The characters of a name (RFC 9110, token) and of a value (RFC 6265, cookie-octet). */
const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valueForm = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** Null for a cookie that is malformed, too large, or of a domain that is not the platform's or not the sender's. */
function readSetCookie(line: string, from: URL, now: number): Cookie | null {
  if (line.length > maxCookieBytes) return null;
  // Values are sent back verbatim: they hold `=`, `/` and percent-encoding.
  const { name, value = '', path = '', ...given } = parseSetCookie(line, { decode: (text) => text });
  if (!nameForm.test(name) || !valueForm.test(value)) return null;
  const wanted = (given.domain ?? '').toLowerCase().replace(/^\./, '');
  const domain = wanted === '' ? from.hostname : wanted;
  const isOurs = domains.some((known) => isBelow(domain, known));
  if (!isOurs || !isBelow(from.hostname, domain)) return null;
  const { maxAge, expires } = given;
  return {
    ...{ name, value, domain, hostOnly: wanted === '' },
    path: path.startsWith('/') ? path : from.pathname.replace(/\/[^/]*$/, '') || '/',
    expiresAt: maxAge === undefined ? (expires?.getTime() ?? Number.POSITIVE_INFINITY) : now + maxAge * 1000,
  };
}
