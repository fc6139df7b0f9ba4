import { parseCookie, stringifySetCookie } from 'cookie';

/** More than any browser sends; what follows is not looked at. */
export const maxCookieHeaderLength = 16_384;

/** Cookies by name; null-prototyped. */
export type SentCookies = Readonly<Record<string, string | undefined>>;

/** The cookies of a request (RFC 6265, section 4.2). @param header the raw `Cookie` header */
export const readCookies = (header: string | undefined): SentCookies =>
  parseCookie(header?.slice(0, maxCookieHeaderLength) ?? '');

/** The value of one of them, or null. */
export const readCookie = (header: string | undefined, name: string): string | null =>
  readCookies(header)[name] ?? null;

/** A cookie that the site sets. */
export interface Cookie {
  readonly name: string;
  /** Only characters that need no quoting. */
  readonly value: string;
  readonly maxAgeS: number;
  /** Whether the page's scripts read it. */
  readonly isForScripts: boolean;
  /** The domain whose hosts share it; without it, only this host has it. */
  readonly domain?: string;
  /** Path of the addresses that receive it; `/` when left out. */
  readonly path?: string;
  /** `lax` when left out: a link on another site leads to a page that knows the visitor. */
  readonly sameSite?: 'lax' | 'strict';
}

/** A `Set-Cookie` line. */
export function writeCookie(
  { name, value, maxAgeS, isForScripts, domain, path = '/', sameSite = 'lax' }: Cookie,
  isSecure: boolean,
): string {
  const options = {
    ...(domain !== undefined && { domain }),
    path,
    maxAge: maxAgeS,
    sameSite,
    httpOnly: !isForScripts,
    secure: isSecure,
  } as const;
  // Unencoded: encoding would replace the comma between uids.
  return stringifySetCookie({ name, value, ...options }, { encode: (text) => text });
}
