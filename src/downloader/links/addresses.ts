/** Finding web addresses in a text that people or share sheets wrote. */

import {
  behindDamagedScheme,
  type IsKnownHost,
  isEncodedAddress,
  unescaped,
  withAsciiSigns,
} from './repairs.ts';

export interface FoundAddress {
  /** Lower case, ASCII letters, digits, dots and hyphens only. */
  readonly host: string;
  /** As written, without query and fragment. */
  readonly path: string;
  /** As written, without the question mark. */
  readonly query: string;
  /** As written, without the number sign. */
  readonly fragment: string;
  /** Whether a letter beyond ASCII ended it: what the path says last may be a part of something longer. */
  readonly brokenOff: boolean;
}

/** Number of characters searched unless a caller passes another. */
export const searchedLength = 4_000;

// Zero-width and direction characters, soft hyphens: apps put these invisible characters around copied text.
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;
const separators =
  /[\s<>"'`|\u00AB\u00BB\u2018-\u201F\u3000-\u3003\u3008-\u3011\uFF01\uFF08\uFF09\uFF0C\uFF1A\uFF1B\uFF1F]+/u;
const schemes = /(?=https?:\/\/)/i;
const scheme = /^https?:\/\/[/\\]*/i;
const foreignScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const notOfAnAddress = /[^\u0021-\u007E]/;
const continuesAWord = /^[\p{L}\p{N}\p{M}\p{Pc}\p{Pd}\uFF01-\uFFEF]/u;
const trailing = '.,;:!?)]}*~';
const hostName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
/** Ends a wrapper's address before the link that it holds, where that link is not encoded. */
const opensParameter = /[?&#;][\w.-]{1,40}=$/;
// End of a path. Apps and people append parameters without a question mark, or with an encoded one.
const pathEnds = /[?#&]|%(?:20|23|26|3f)/i;

/** The visible characters of a text's first 4,000, with the punctuation of addresses normalised. */
export function visibleText(text: string, length = searchedLength): string {
  return withAsciiSigns(unescaped(text.slice(0, length).replace(invisible, '')));
}

/**
 * The addresses in a text, in order; null for an address with an unsupported form: user-info, a port other than 443, a
 * literal IPv6 address, a backslash, dot segments, a host with non-ASCII letters. Linear in the text's length.
 * @param isKnownHost tells whether we know a host name, given in lower case
 * @param length number of characters to search, 4,000 by default
 */
export function* addressesIn(
  text: string,
  isKnownHost: IsKnownHost,
  length = searchedLength,
): Generator<FoundAddress | null> {
  const cut = text.length > length;
  const words = visibleText(text, length).split(separators);
  for (const [index, word] of words.entries()) {
    yield* addressesInWord(word, cut && index === words.length - 1, isKnownHost);
  }
}

/** @param cut whether the word may go on behind what we look at */
function* addressesInWord(
  word: string,
  cut: boolean,
  isKnownHost: IsKnownHost,
): Generator<FoundAddress | null> {
  // A visitor who pastes twice has the same address twice without a space.
  const plain = isEncodedAddress(word, isKnownHost) ? encodedAddress(word) : word;
  const parts = plain.split(schemes);
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    // The text box already contained a scheme.
    if (!last && /^https?:\/+$/i.test(part)) continue;
    const behindScheme = behindSchemes(part, isKnownHost);
    if (behindScheme !== null) {
      const address = readAddress(behindScheme, cut && last);
      yield address;
      // Anything inside another site's address belongs to that site, but for an address that is one of its parameters.
      if (address === null || (!isKnownHost(address.host) && !opensParameter.test(part))) return;
    } else if (last) {
      const bare = part.replace(/^[^\p{L}\p{N}]+/u, '');
      if (looksLikeAnAddress(bare, isKnownHost)) yield readAddress(bare, cut);
    }
  }
}

/** The text after a scheme, even a damaged or repeated one; null when the text begins with no scheme. */
function behindSchemes(part: string, isKnownHost: IsKnownHost): string | null {
  const match = scheme.exec(part);
  if (match === null) return behindDamagedScheme(part, isKnownHost);
  const rest = part.slice(match[0].length);
  return behindDamagedScheme(rest, isKnownHost) ?? rest;
}

/** An address that was percent-encoded as a whole, up to what would have ended it. */
function encodedAddress(word: string): string {
  return decodedAscii(word).split(separators, 1)[0] ?? '';
}

/** Without a scheme, `and/or` and `e.g.` are no addresses: there must be a dot before a slash, or a name we know. */
function looksLikeAnAddress(word: string, isKnownHost: IsKnownHost): boolean {
  const end = word.search(/[/?#]/);
  const authority = end === -1 ? word : word.slice(0, end);
  return (
    (end > 0 && authority.slice(0, -1).includes('.')) ||
    foreignScheme.test(word) ||
    isKnownHost(withoutTrailing(authority).toLowerCase())
  );
}

/** Percent-decoded once, ASCII only: addresses and ids contain nothing else. */
export function decodedAscii(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** An author's name in an address that goes on behind it, where it has letters of another script. */
const openHandle = /^([^?#@]*\/@)([\p{L}\p{M}\p{N}_.-]{1,128})(?=\/)/u;

/** Reads `host/path?query#fragment`, which begins the text and ends where an address must end. */
function readAddress(written: string, cut: boolean): FoundAddress | null {
  const text = written.replace(
    openHandle,
    (_, before: string, handle: string) => before + encodeURIComponent(handle),
  );
  const foreign = text.search(notOfAnAddress);
  const address = foreign === -1 ? text : text.slice(0, foreign);
  const pathEnd = address.search(pathEnds);
  // A letter of another script glued to an id or a code may be a part of it that we would lose.
  const goesOn = foreign === -1 ? cut : continuesAWord.test(text.slice(foreign));
  if (pathEnd !== -1) {
    const behind = address.slice(pathEnd).replace(/^(?:%..|[?&])/, '');
    const whole = goesOn ? behind.replace(/(?:^|[&#])[^&#]*$/, '') : behind;
    const [query = '', fragment = ''] = whole.split(/#(.*)/s);
    return readHostAndPath(address.slice(0, pathEnd), { query, fragment, brokenOff: false });
  }
  const brokenOff = foreign !== -1 && goesOn && !address.endsWith('/');
  if (brokenOff && !address.includes('/')) return null;
  if (foreign === -1 && cut) return null;
  if (hasDotSegment(address)) return null;
  return readHostAndPath(withoutTrailing(address), { query: '', fragment: '', brokenOff });
}

function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && trailing.includes(address.charAt(end - 1))) end--;
  return address.slice(0, end);
}

function readHostAndPath(
  address: string,
  rest: Pick<FoundAddress, 'query' | 'fragment' | 'brokenOff'>,
): FoundAddress | null {
  const slash = address.indexOf('/');
  const host = (slash === -1 ? address : address.slice(0, slash)).toLowerCase().replace(/:443$/, '');
  const path = slash === -1 ? '' : address.slice(slash);
  if (!hostName.test(host)) return null;
  if (path.includes('\\')) return null;
  if (hasDotSegment(path)) return null;
  return { host, path, ...rest };
}

/** Dots may be percent-encoded, as parsers of addresses read them, and so may the slash behind them. */
function hasDotSegment(path: string): boolean {
  return path.split(/\/|%2f|%5c/i).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
