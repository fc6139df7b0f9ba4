/** More than any browser sends; what follows is not looked at. */
const maxHeaderLength = 16_384;

/**
 * The value of a cookie (RFC 6265, section 4.2), or null.
 * @param header the `Cookie` header as it came
 */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  const end = Math.min(header.length, maxHeaderLength);
  // Taken apart by hand: this is done several times for each page.
  for (let from = 0; from < end; ) {
    const next = header.indexOf(';', from);
    const to = next < 0 || next > end ? end : next;
    const at = header.indexOf('=', from);
    if (at > from && at < to && header.slice(from, at).trim() === name)
      return header.slice(at + 1, to).trim();
    from = to + 1;
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
