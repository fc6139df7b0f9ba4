/**
 * The parts of a visitor's data that an error report may contain, and their replacements. Runs in the browser before a
 * report is sent, and on the server for everything that is passed on.
 */

import { anyOf, platformDomains, relatedDomains } from '../../../site/configuration/platforms.ts';

/** Shorter values are part of other words. */
const leastSecretLength = 4;
/** Each is looked for in every text of a report. */
const mostSecrets = 60;
/** Values that are looked at, too short ones included. */
const mostValues = 2000;
/** A longer value is recognised by its beginning: the time to search a text grows with the longest value. */
const longestSought = 24;
const maxTextLength = 500;

/** Cookies that contain only names of pages: treated as secrets, they would hide every report's origin. */
export const namesOfPages: ReadonlySet<string> = new Set(['path_track', 'category_page']);

/** Takes what is a visitor's own out of a text. */
export type Redact = (text: string) => string;

/** Also redacts by known values. */
export interface KnownRedact extends Redact {
  /** Whether there were more than are looked for. */
  readonly hasLeftOut: boolean;
}

/** Replaces secret text. */
const omitted = '[…]';

/** The path of an address of this site, without tickets. */
const withoutTickets = (path: string) =>
  path.replace(/(\/api\/(?:files|pictures)\/)[^/?#\s"']+/g, '$1:ticket');

/** An address without the visitor's data: of this site the path, of others nothing. @param origins of this site */
export function redactAddress(address: string, origins: readonly string[]): string {
  // The form in which the server's own stacks name the program's files.
  if (/^(?:app|node):/.test(address)) return address;
  const isPath = /^\/(?!\/)/.test(address);
  const url = URL.parse(address, origins[0] ?? 'https://site.invalid');
  if (url === null || !(isPath || origins.includes(url.origin))) return '[link]';
  const path = withoutTickets(url.pathname);
  return isPath ? path : url.origin + path;
}

const platformHosts = anyOf([...platformDomains, ...relatedDomains]);

/** Secrets recognised by their form, in the order of the search. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.-])[1-3](?:\.[\w-]+)+\.[\w-]{24}(?![\w-])/g, '[ticket]'],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[mail]'],
  // A host with something behind it, as people copy links without their scheme.
  [/(?<![\w./-])(?:[a-z\d-]+\.)+[a-z]{2,}\/[^\s"'`<>)\]]+/gi, '[link]'],
  [new RegExp(`(?<![\\w./-])(?:[a-z\\d-]+\\.)*(?:${platformHosts})\\b[^\\s"'\`<>)\\]]*`, 'gi'), '[link]'],
  [/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])/g, '[address]'],
  [/(?<![\w:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?:%\w+)?(?![\w:])/gi, '[address]'],
  [/(?<![\w/])@[\w.]{2,40}/g, '[handle]'],
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}(?:\.[\w-]+)*/g, '[token]'],
  [/(?<!\d)\d{12,}(?!\d)/g, '[number]'],
];

/** Names of programs may stay between quotation marks; sentences may not. */
const quoted = /(?<!\w)(["'`])((?:(?!\1)[^\n])+)\1(?!\w)|[“«„‘]([^\n”»“’]+)[”»“’]/g;
const isName = (text: string) => /^[\w$.:/[\]-]{1,60}$/.test(text);

/** Begins where no scheme could have begun before, so that each character is inspected once. */
const webAddress = /(?<![a-z\d+.-])[a-z\d+.-]+:\/\/[^\s"'`<>)\]]+/gi;

/** All forms in which a value may be written in a report. */
function written(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  // Half of a surrogate pair cannot be encoded.
  const inAddress = encodeURIComponent(secret.toWellFormed());
  return [secret, inJson, inAddress, inAddress.replaceAll('%20', '+')];
}

/** Matches a value; a long one by its beginning, and then with all that follows it. */
function sought(text: string): string {
  const literal = text.slice(0, longestSought).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return text.length > longestSought ? `${literal}[^]*` : literal;
}

/**
 * Creates a function that redacts values wherever they occur. One pass searches for all of them, so that the cost
 * hardly depends on their number.
 * @param secrets a visitor's own words, cookies and the like, as far as they are known
 */
export function withoutSecrets(secrets: Iterable<string>): KnownRedact {
  const known = new Set<string>();
  let values = 0;
  for (const secret of secrets) {
    values += 1;
    if (values > mostValues || known.size > mostSecrets) break;
    // A report may contain a single line of a visitor's text.
    for (const part of [secret.trim(), ...secret.split('\n').map((line) => line.trim())])
      if (part.length >= leastSecretLength) known.add(part);
  }
  const forms = new Set([...known].slice(0, mostSecrets).flatMap(written));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp([...new Set(longestFirst.map(sought))].join('|') || '(?!)', 'g');
  const redact = (text: string) => text.replace(pattern, omitted);
  return Object.assign(redact, { hasLeftOut: values > mostValues || known.size > mostSecrets });
}

/** Delimiters of an address's replacement while the rest is processed. */
const mark = '\u0000';

/** Addresses in a text without what says where a visitor has been. */
export function redactLinks(text: string, origins: readonly string[], around = ''): string {
  return withoutTickets(text)
    .replace(webAddress, (address) => around + redactAddress(address, origins) + around)
    .replace(/\?[\w%.~-]+=[^\s"'`<>)\]]*/g, '');
}

/**
 * Creates a function for the sentences of errors. A visitor with too many secrets to search for gets no sentences
 * reported.
 * @param origins of this site: their paths may stay
 */
export function redactSentences(withoutKnown: KnownRedact, origins: readonly string[]): Redact {
  if (withoutKnown.hasLeftOut) return () => omitted;
  return (text) => {
    const short = withoutKnown(text).replaceAll(mark, '').slice(0, maxTextLength);
    // Every second part is an address of which is left what may stay.
    return redactLinks(short, origins, mark)
      .split(mark)
      .map((part, at) => (at % 2 === 1 ? part : redactWords(part)))
      .join('');
  };
}

function redactWords(text: string): string {
  const quotes = text.replace(quoted, (whole, _mark, inside = '', other = '') =>
    isName(`${inside}${other}`) ? whole : '"…"',
  );
  return patterns.reduce((rest, [pattern, name]) => rest.replace(pattern, name), quotes);
}
