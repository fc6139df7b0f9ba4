/** More than any browser sends; what follows is not looked at. */
const maxHeaderLength = 16_384;

/**
 * The value of a cookie (RFC 6265, section 4.2), or null.
 * @param header the `Cookie` header as it came
 */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined || !header.includes(name)) return null;
  for (const pair of header.slice(0, maxHeaderLength).split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
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
  return [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeS}`,
    'SameSite=Lax',
    ...(isForScripts ? [] : ['HttpOnly']),
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
