/** A parsed `Content-Range: bytes start-last/size` (RFC 9110, 14.4). */
export interface ContentRange {
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
