import { parseCookie, stringifySetCookie } from 'cookie';

/** More than any browser sends; what follows is not looked at. */
const maxHeaderLength = 16_384;

/**
 * The value of a cookie (RFC 6265, section 4.2), or null.
 * @param header the `Cookie` header as it came
 */
export function readCookie(header: string | undefined, name: string): string | null {
  return header === undefined ? null : (parseCookie(header.slice(0, maxHeaderLength))[name] ?? null);
}

/** A cookie that the site sets. */
export interface Cookie {
  readonly name: string;
  /** Only characters that need no quoting. */
  readonly value: string;
  readonly maxAgeS: number;
  /** Whether the page's scripts read it. */
  readonly isForScripts: boolean;
}

/** A `Set-Cookie` line. */
export function writeCookie({ name, value, maxAgeS, isForScripts }: Cookie, isSecure: boolean): string {
  const options = {
    path: '/',
    maxAge: maxAgeS,
    sameSite: 'lax',
    httpOnly: !isForScripts,
    secure: isSecure,
  } as const;
  // As it stands: the comma between uids would be encoded otherwise.
  return stringifySetCookie({ name, value, ...options }, { encode: (text) => text });
}
