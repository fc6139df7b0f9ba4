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

/** A parsed `Content-Range: bytes start-last/size` (RFC 9110, 14.4). */
interface ContentRange {
  readonly start: number;
  /** One past the last byte. */
  readonly end: number;
  /** Null for `*`. */
  readonly size: number | null;
}

const satisfied = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i;
const unsatisfied = /^bytes \*\/(\d{1,15})$/i;

/** Null for anything but a valid byte range. */
export function parseContentRange(value: string): ContentRange | null {
  const match = satisfied.exec(value.trim());
  if (match === null) return null;
  const start = Number(match[1]);
  const end = Number(match[2]) + 1;
  const size = match[3] === '*' ? null : Number(match[3]);
  return start < end && (size === null || end <= size) ? { start, end, size } : null;
}

/** The size in the `Content-Range` of a 416; null when it is missing. */
export function parseUnsatisfiedSize(value: string): number | null {
  const match = unsatisfied.exec(value.trim());
  return match === null ? null : Number(match[1]);
}

/** A `Content-Length` value; null when it is missing or no number. */
export function parseContentLength(value: string): number | null {
  return /^\d{1,15}$/.test(value) ? Number(value) : null;
}
