import { acceptedEncodings } from './decoding.ts';

/** Default headers of a page request, in Firefox's order. */
function pageDefaults(userAgent: string): readonly (readonly [string, string])[] {
  return [
    ['user-agent', userAgent],
    ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['accept-language', 'en-US,en;q=0.5'],
    ['accept-encoding', acceptedEncodings],
    ['referer', ''],
    ['cookie', ''],
    ['upgrade-insecure-requests', '1'],
    ['sec-fetch-dest', 'document'],
    ['sec-fetch-mode', 'navigate'],
    ['sec-fetch-site', 'none'],
    ['sec-fetch-user', '?1'],
    ['priority', 'u=0, i'],
  ];
}

/**
 * Headers of a page request: the caller's, in a browser's order, then the caller's further ones. An empty value removes
 * a header.
 */
export function pageHeaders(userAgent: string, own: Readonly<Record<string, string>>): string[] {
  const given = new Map(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  const headers: string[] = [];
  for (const [name, value] of pageDefaults(userAgent)) {
    const chosen = given.get(name) ?? value;
    given.delete(name);
    if (chosen !== '') headers.push(name, chosen);
  }
  for (const [name, value] of given) if (value !== '') headers.push(name, value);
  return headers;
}

/** Headers of a media request: the source's own, verbatim, and the range if there is one. */
export function mediaHeaders(own: Readonly<Record<string, string>>, range: string | null): string[] {
  const headers: string[] = [];
  const names = new Set<string>();
  for (const [name, value] of Object.entries(own)) {
    names.add(name.toLowerCase());
    headers.push(name, value);
  }
  if (!names.has('accept')) headers.push('accept', '*/*');
  // Offsets are offsets of the file itself, never of a compressed form of it.
  if (!names.has('accept-encoding')) headers.push('accept-encoding', 'identity');
  if (range !== null) headers.push('range', range);
  return headers;
}

/** Without the headers that only their own domain may see. */
export function withoutCredentials(own: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).filter(([name]) => !['cookie', 'authorization'].includes(name.toLowerCase())),
  );
}
