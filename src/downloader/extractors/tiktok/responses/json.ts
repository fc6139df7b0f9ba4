import { UnreadableResponse } from '../../unreadable.ts';

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/**
 * Finds the last member named `key` with an object value without parsing the rest: two thirds of a page's JSON are
 * translations that come before the post. As in a parser, the last of several members with one name counts.
 * @param json holds JSON in UTF-8 from `start` to `end`
 * @returns its text; null when there is no such member, or its end is missing
 */
export function sliceOfObject(json: Buffer, key: string, start: number, end: number): string | null {
  const name = JSON.stringify(key);
  const size = Buffer.byteLength(name);
  for (let at = json.lastIndexOf(name, end - size); at >= start; at = json.lastIndexOf(name, at - 1)) {
    const open = objectAfterName(json, at + size);
    // Inside a string every quote has a backslash in front of it.
    if (open !== -1 && open < end && json[at - 1] !== backslash) {
      const close = endOfValue(json, open, end);
      return close === -1 ? null : json.toString('utf8', open, close);
    }
    if (at === 0) break;
  }
  return null;
}

/** Start of the object after a member's name; -1 for another value. */
function objectAfterName(json: Buffer, nameEnd: number): number {
  const at = skipSpace(json, nameEnd);
  if (json[at] !== colon) return -1;
  const open = skipSpace(json, at + 1);
  return json[open] === openBrace ? open : -1;
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++;
  return at;
}

/** One past the bracket that closes the one at `open`; -1 when it is missing. */
function endOfValue(json: Buffer, open: number, end: number): number {
  let depth = 0;
  for (let at = open; at < end; at++) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at, end);
        break;
      case openBracket:
      case openBrace:
        depth++;
        break;
      case closeBracket:
      case closeBrace:
        if (--depth === 0) return at + 1;
        break;
      default:
    }
  }
  return -1;
}

/** Position of the quote that closes the one at `open`; `end` when it is missing. */
function endOfString(json: Buffer, open: number, end: number): number {
  for (let at = open + 1; at < end; at++) {
    const byte = json[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return end;
}

/** @throws UnreadableResponse */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (thrown) {
    throw new UnreadableResponse('json', { note: 'broken JSON', cause: thrown });
  }
}
