import { addressOf, recogniseAll } from '../../downloader/links/recognise.ts';
import { linkTables } from '../../downloader/links/tables.ts';
import type { Locale } from '../../i18n/languages.ts';
import { anyOf, platformDomains } from '../../site/configuration/platforms.ts';

/** A link typed after the site's name. */
export interface TypedLink {
  /** The post's canonical public address. */
  readonly link: string;
  /** That the address names; null for none. */
  readonly locale: Locale | null;
}

/** Longer ones are not looked at. */
const longest = 1_000;

/** A scheme, of which browsers and proxies may have taken a slash away, or which is percent-encoded. */
const scheme = /^https?(?::|%3a)(?:\/|%2f){1,3}/i;
const host = new RegExp(`^(?:[a-z0-9-]+\\.){0,2}(?:${anyOf(platformDomains)})(?:/|%2f)`, 'i');
const author = /^(?:@|%40)/;
/** The platform whose posts stand behind their author's name. */
const authorsSite = `www.${platformDomains[0]}`;

/** Whether an address may be one: most are not, and cost no more than this. */
const maybeTyped = (url: string): boolean =>
  /^\/(?:[a-z]{2}\/)?(?:https?[:%]|@|%40|[a-z0-9.-]+\.[a-z]+(?:\/|%2f))/i.test(url);

/** The address with a scheme, null when it is no platform's. */
function whole(typed: string): string | null {
  const behind = typed.replace(scheme, '');
  if (host.test(behind)) return `https://${behind}`;
  return behind === typed && author.test(typed) ? `https://${authorsSite}/${typed}` : null;
}

/** Escapes of the signs that an address is made of, as they come where a whole link was escaped. */
const plain = (text: string) => text.replace(/%(?:3a|2f|3f|3d|26|40)/gi, (sign) => decodeURIComponent(sign));

/**
 * The post that the address of a request names behind the site's name.
 * @param url path and query as they came
 * @returns null for every other address
 */
export function readTypedLink(url: string, locales: readonly Locale[]): TypedLink | null {
  if (url.length > longest || !maybeTyped(url)) return null;
  const [, prefix = '', rest = ''] = /^\/(?:([a-z]{2})\/)?(.*)$/is.exec(url) ?? [];
  const text = whole(rest);
  if (text === null) return null;
  const [post] = recogniseAll(plain(text), linkTables, 1);
  if (post === undefined) return null;
  const locale = locales.find((one) => one === prefix.toLowerCase()) ?? null;
  return { link: addressOf(post, linkTables), locale };
}
