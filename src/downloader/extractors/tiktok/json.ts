import { Failure } from '../../failures.ts';

const quote = 0x22;
const backslash = 0x5c;

/**
 * The text of the first member called `key` whose value is an object, found without parsing what stands around it:
 * two thirds of a page's JSON are translations that nobody here reads.
 *
 * @param text holds JSON from `start` to `end`
 * @returns null when there is no such member, or when its end is missing
 */
export function sliceOfObject(text: string, key: string, start: number, end: number): string | null {
  const name = JSON.stringify(key);
  for (let at = text.indexOf(name, start); at !== -1 && at < end; at = text.indexOf(name, at + 1)) {
    // Inside a string every quote has a backslash in front of it.
    if (text.charCodeAt(at - 1) === backslash) continue;
    const colon = skipSpace(text, at + name.length);
    if (text[colon] !== ':') continue;
    const open = skipSpace(text, colon + 1);
    if (text[open] !== '{') continue;
    const close = endOfValue(text, open, end);
    return close === -1 ? null : text.slice(open, close);
  }
  return null;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}

/** One past the bracket that closes the one at `open`; -1 when it is not there. */
function endOfValue(text: string, open: number, end: number): number {
  let depth = 0;
  for (let at = open; at < end; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        if (at === -1) return -1;
        break;
      case 0x5b:
      case 0x7b:
        depth++;
        break;
      case 0x5d:
      case 0x7d:
        if (--depth === 0) return at + 1;
        break;
      default:
    }
  }
  return -1;
}

/** Position of the quote that closes the one at `open`. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let first = close;
    while (text.charCodeAt(first - 1) === backslash) first--;
    if ((close - first) % 2 === 0) return close;
  }
  return -1;
}

/** @throws Failure `platform_changed` */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (thrown) {
    throw new Failure('platform_changed', { note: 'broken JSON', cause: thrown });
  }
}
