/**
 * Byte ranges of RFC 9110, section 14, for responses with a file. One range is supported; a header with several, or an
 * unreadable one, is ignored as the standard allows.
 */

/** A parsed `Range` header, before the size of the file is known. */
export type RangeRequest =
  | { readonly kind: 'from'; readonly first: number; readonly last: number | null }
  | { readonly kind: 'suffix'; readonly length: number };

/** The response to a range. `start` and `end` (exclusive) are the bytes to send; for 416 there are none. */
export interface RangeChoice {
  readonly status: 200 | 206 | 416;
  readonly start: number;
  readonly end: number;
}

const oneRange = /^bytes[ \t]*=[ \t,]*(\d*)-(\d*)[ \t,]*$/i;
// No file has this many digits; larger numbers would be inexact.
const maxDigits = 15;

/** Parses a `Range` header; null means that it must be ignored. */
export function parseRange(header: string | undefined): RangeRequest | null {
  if (header === undefined || header.length > 200) return null;
  const match = oneRange.exec(header);
  if (match === null) return null;
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  if (first === '') return last === '' ? null : { kind: 'suffix', length: position(last) };
  if (last === '') return { kind: 'from', first: position(first), last: null };
  return position(first) <= position(last)
    ? { kind: 'from', first: position(first), last: position(last) }
    : null;
}

function position(digits: string): number {
  const significant = digits.replace(/^0+(?=\d)/, '');
  return significant.length > maxDigits ? Number.MAX_SAFE_INTEGER : Number(significant);
}

/** Resolves a requested range against the size of the file. */
export function resolveRange(requested: RangeRequest | null, size: number): RangeChoice {
  if (requested === null) return { status: 200, start: 0, end: size };
  if (requested.kind === 'suffix') {
    if (requested.length === 0 || size === 0) return { status: 416, start: 0, end: 0 };
    return { status: 206, start: Math.max(0, size - requested.length), end: size };
  }
  if (requested.first >= size) return { status: 416, start: 0, end: 0 };
  const end = requested.last === null ? size : Math.min(size, requested.last + 1);
  return { status: 206, start: requested.first, end };
}

/**
 * Whether a `Range` counts although there is an `If-Range`: only for the same strong validator. Dates never match,
 * since we send no `Last-Modified`.
 * @param etag the file's own, quotes included
 */
export function ifRangeHolds(ifRange: string | undefined, etag: string): boolean {
  if (ifRange === undefined) return true;
  return !etag.startsWith('W/') && ifRange.trim() === etag;
}

/** The whole decision for a file of known size: `Range` and `If-Range` as they came. */
export function chooseRange(
  headers: { readonly range: string | undefined; readonly ifRange: string | undefined },
  etag: string,
  size: number,
): RangeChoice {
  const requested = ifRangeHolds(headers.ifRange, etag) ? parseRange(headers.range) : null;
  return resolveRange(requested, size);
}

/** A `Content-Range` value for a 206, or for a 416 when there are no bytes. Null size is written as `*`. */
export function contentRange(choice: RangeChoice, size: number | null): string {
  if (choice.status === 416) return `bytes */${size ?? '*'}`;
  return `bytes ${choice.start}-${choice.end - 1}/${size ?? '*'}`;
}
