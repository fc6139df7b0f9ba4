/** Which part of a list `?before=` asks for, the newest first. Anything but a number asks for the newest. */
export function beforeOf(query: URLSearchParams): { before?: number } {
  const text = query.get('before') ?? '';
  return /^\d{1,9}$/.test(text) ? { before: Number(text) } : {};
}

/** The parameters of the link to older rows; null where there are none. @param size of a whole page */
export const olderThan = (rows: readonly { readonly id: number }[], size: number): number | null =>
  rows.length < size ? null : (rows.at(-1)?.id ?? null);

/** The number that an address names: `/operator/messages/12` is 12. Null for anything else. */
export function numberIn(parts: readonly string[]): number | null {
  const [text = '', ...more] = parts;
  return more.length === 0 && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
