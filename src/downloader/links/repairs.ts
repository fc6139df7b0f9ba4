/** Undoes the changes that programs and keyboards make to an address on its way into a text field. */

/** Tells whether we know a host, given in lower case. */
export type IsKnownHost = (host: string) => boolean;

/** Characters that only change the spelling of an address: none is a letter or digit of a host, an id or a code. */
const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  sol: '/',
  colon: ':',
  equals: '=',
  quest: '?',
  commat: '@',
  period: '.',
};
const escaped =
  /&(?:(amp|quot|apos|lt|gt|nbsp|sol|colon|equals|quest|commat|period)|#(\d{2,3})|#x([0-9a-f]{2}));|\\u00([2-7][0-9a-f])|\\([/"'])/gi;

/**
 * Reverses HTML or JSON escaping of the punctuation of addresses, and of quotes. Applied once: doubly escaped text
 * stays escaped.
 */
export function unescaped(text: string): string {
  return text.replace(
    escaped,
    (whole, name?: string, decimal?: string, hex?: string, unicode?: string, plain?: string) => {
      if (name !== undefined) return namedEntities[name.toLowerCase()] ?? whole;
      if (plain !== undefined) return plain;
      const code = decimal === undefined ? Number.parseInt(hex ?? unicode ?? '', 16) : Number(decimal);
      const sign = String.fromCharCode(code);
      return /[!-/:-@[-`{-~ ]/.test(sign) ? sign : whole;
    },
  );
}

/** Keyboards of Chinese and Japanese write these, and forms of the slash that look the same. */
const wideSlash = /[\uFF0F\u2044\u2215]/g;
const wideColon = /(?<=https?)[\uFF1A\uFE55\u2236](?=\/)/gi;
const wideSign = /[\uFF0E\uFF20\uFF1D\uFF06]/g;

/** The wide signs of an address as ASCII. Wide letters and digits stay: which ones were meant is not certain. */
export function withAsciiSigns(text: string): string {
  return text
    .replace(wideSlash, '/')
    .replace(wideSign, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(wideColon, ':');
}

// `ttps`, `hhttps`, `htps`, and `http` or `https` with one wrong letter; `ftp` is neither.
const schemeLetters = '(?:[htps]{1,8}|[a-z]ttps?|h[a-z]tps?|ht[a-z]ps?|htt[a-z]s?|http[a-z])';
/** Up to the host: `https//`, `https;//`, `https:/`, `https:`, `http:://`; words that end in a sign may stand in front. */
const damagedScheme = new RegExp(
  `^(?:[^./\\\\@]*[^\\p{L}\\p{N}./\\\\@])?${schemeLetters}([:;.,]{0,3}[/\\\\]{1,6}|[:;]{1,3})`,
  'iu',
);
const encodedScheme = new RegExp(
  `^(?:https?://)?(?:[^./\\\\@%]*[^\\p{L}\\p{N}./\\\\@%])?(?:${schemeLetters})?(?:[:;.,]|%3a|%3b){0,3}(?:[/\\\\]|%2f|%5c){1,6}`,
  'iu',
);
const userInfo = /^https?:[/\\]*[^/\\?#]*@/i;
/** An address without a scheme that was percent-encoded as a whole: it can no longer contain user-info. */
const encodedBare = /^([a-z0-9.-]+)%2f[^/\\@]*$/i;

/**
 * The text after a damaged scheme: a known host or, after punctuation that only schemes have, any host with a dot, so
 * that another site's address is reported as such. Null for any other text.
 */
export function behindDamagedScheme(text: string, isKnownHost: IsKnownHost): string | null {
  const match = damagedScheme.exec(text);
  if (match === null) return null;
  const rest = text.slice(match[0].length);
  const authority = authorityOf(rest);
  const isScheme = /[:;/\\][/\\]/.test(match[1] ?? '');
  return isKnownHost(authority) || (isScheme && authority.slice(0, -1).includes('.')) ? rest : null;
}

/** Whether a word is an address that was percent-encoded as a whole, or from the signs of its scheme on. */
export function isEncodedAddress(word: string, isKnownHost: IsKnownHost): boolean {
  const start = encodedScheme.exec(word)?.[0];
  // After a real scheme, encoded characters before an @ are user-info, and the host follows it.
  if (start !== undefined) return start.includes('%') && !userInfo.test(word);
  const host = encodedBare.exec(word)?.[1];
  return host !== undefined && isKnownHost(host.toLowerCase());
}

/** The host before a path, including user-info and port. */
function authorityOf(address: string): string {
  const end = address.search(/[/?#]/);
  return (end === -1 ? address : address.slice(0, end)).toLowerCase().replace(/:443$/, '');
}

/** The text with the spaces left out that stand beside the dots and slashes of an address, and its scheme's colon. */
export function withoutSpacesInAddresses(text: string): string {
  const colonOfScheme = /:\s*\//y;
  return text.replace(/\s+/g, (space, at: number) => {
    const next = at + space.length;
    colonOfScheme.lastIndex = next;
    const isInside = /[./]/.test(text.charAt(at - 1) + text.charAt(next)) || colonOfScheme.test(text);
    return isInside ? '' : space;
  });
}
