import { acceptedEncodings } from './decoding.ts';

/** Of a caller without one. */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/**
 * Headers of a page request: the caller's, in its order, with the cookies at their place. An empty value removes a
 * header.
 */
export function pageHeaders(own: Readonly<Record<string, string>>, cookie: string | null): string[] {
  const given = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  const usual = 'user-agent' in given ? {} : { 'user-agent': userAgent, accept: '*/*' };
  const all: Record<string, string> = { ...usual, 'accept-encoding': acceptedEncodings, ...given };
  if (cookie !== null) all.cookie = cookie;
  return Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : [name, value]));
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

/** Removes the headers that only their own domain may see. */
export function withoutCredentials(own: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).filter(([name]) => !['cookie', 'authorization'].includes(name.toLowerCase())),
  );
}
