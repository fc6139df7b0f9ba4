import type { LinkTable } from './link-table.ts';

type Values = { id?: string; code?: string; handle?: string; word?: string; rest?: string };
type Name = keyof Values;

const placeholder = /^(.*?)\{(id|code|handle|word|rest)\}(.*)$/;
const word = /^[a-z]{1,20}$/i;
const anything = /^/;

/** The values of a form's placeholders; null when the segments are not of that form. */
export function matchPath(form: string, segments: readonly string[], table: LinkTable): Values | null {
  const pieces = form.split('/');
  const open = pieces.at(-1) === '**';
  if (open) pieces.pop();
  if (open ? segments.length < pieces.length : segments.length !== pieces.length) return null;
  const values: Values = {};
  for (const [index, piece] of pieces.entries()) {
    const segment = segments[index] ?? '';
    const parts = placeholder.exec(piece);
    if (parts === null) {
      if (segment.toLowerCase() !== piece) return null;
      continue;
    }
    const [, before = '', kind = '', after = ''] = parts;
    const name = kind as Name;
    // Only a handle is percent-decoded: an id or a code counts as written.
    const text = name === 'handle' ? decoded(segment) : segment;
    if (!text.startsWith(before) || !text.endsWith(after)) return null;
    const value = text.slice(before.length, text.length - after.length);
    const shape = { ...table, word, rest: anything }[name];
    if (!shape.test(value)) return null;
    values[name] = value;
  }
  return values;
}

/** `%40some.one`, and names in other scripts as browsers copy them; unchanged when it cannot be decoded. */
export function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (thrown) {
    if (thrown instanceof URIError) return segment;
    throw thrown;
  }
}
