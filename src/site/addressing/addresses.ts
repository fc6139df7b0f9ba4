import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { namePage, variantAddress } from '../configuration/static-pages.ts';

/** The part of the site configuration that the grammar needs. */
export type AddressConfiguration = Pick<SiteConfiguration, 'locales' | 'default_locale'> &
  Partial<Pick<SiteConfiguration, 'abnormal_pages'>>;

/** A path read by the grammar `[/tr][/{lang}]/{page}`. */
export interface Address {
  readonly locale: Locale;
  /**
   * The page after the language, by its canonical name and without leading or trailing slashes; empty for the home
   * page. It may not exist.
   */
  readonly page: string;
  /** Whether the address asks for the page's second layout. */
  readonly variant: boolean;
  /** The one path under which this page is found in this language; the home page's for a path that can be no page's. */
  readonly canonicalPath: string;
  /** The target of a permanent redirect (301) for an old or malformed address; always a path of this site. */
  readonly redirect?: string;
}

/** The site's first base path, which is also the Turkish prefix. */
const BASE = 'tr';

/** Names of languages in earlier addresses. */
const formerPrefixes: Readonly<Record<string, string>> = { ph: 'tl' };

interface Prefix {
  readonly locale: Locale;
  /** False for an older name, another case, or the default language's needless prefix. */
  readonly asWritten: boolean;
}

function readPrefix(segment: string | undefined, configuration: AddressConfiguration): Prefix | undefined {
  if (segment === undefined) return undefined;
  const lower = segment.toLowerCase();
  const name = Object.hasOwn(formerPrefixes, lower) ? formerPrefixes[lower] : lower;
  const locale = configuration.locales.find((known) => known === name);
  if (locale === undefined) return undefined;
  return { locale, asWritten: segment === locale && locale !== configuration.default_locale };
}

/** The language prefix, and whether it was written canonically. */
function readPrefixes(segments: readonly string[], configuration: AddressConfiguration) {
  const first = readPrefix(segments[0], configuration);
  if (first === undefined) return { locale: configuration.default_locale, asWritten: true, length: 0 };
  const second = first.locale === BASE ? readPrefix(segments[1], configuration) : undefined;
  if (second === undefined) return { ...first, length: 1 };
  const asWritten = first.asWritten && second.asWritten && second.locale !== BASE;
  return { locale: second.locale, asWritten, length: 2 };
}

const isElsewhere = (address: string | undefined) => address?.startsWith('https://') === true;

/** The configured replacement of a page's usual address in a language. */
function abnormalAddress(
  { abnormal_pages }: AddressConfiguration,
  locale: Locale,
  page: string,
): string | undefined {
  const pages = abnormal_pages?.[locale];
  return pages !== undefined && Object.hasOwn(pages, page) ? pages[page] : undefined;
}

/** The replacement, if it is an address of this site; see {@link abnormalAddress}. */
function ownAddress(configuration: AddressConfiguration, locale: Locale, page: string): string | undefined {
  const address = abnormalAddress(configuration, locale, page);
  return isElsewhere(address) ? undefined : address;
}

/**
 * Parses a URL's path. Never fails: an unknown path is returned as a `page` that does not exist.
 * @param pathname as `URL.pathname` gives it; percent-encoding is not decoded
 */
export function parseAddress(pathname: string, configuration: AddressConfiguration): Address {
  const segments = pathname.replace(/^\//, '').replace(/\/$/, '').split('/');
  const { locale, asWritten, length } = readPrefixes(segments, configuration);
  const rest = segments.slice(length);
  const written = rest.join('/');
  // An empty segment or a backslash could turn a path into `//host`, which browsers read as another site.
  const clean = written === '' || rest.every((segment) => segment !== '' && !segment.includes('\\'));
  if (!clean)
    return { locale, page: written, variant: false, canonicalPath: pathFor(configuration, locale, '') };

  const abnormal = Object.entries(configuration.abnormal_pages?.[locale] ?? {});
  const own = abnormal.find(([, address]) => address === written);
  const { page, variant } = own === undefined ? namePage(written) : { page: own[0], variant: false };
  const canonicalPath = pathFor(configuration, locale, page);
  const address = { locale, page, variant, canonicalPath };
  // The second layout of a moved page stays at its address, the only one it has.
  const hasMoved = own === undefined && !variant && ownAddress(configuration, locale, page) !== undefined;
  if (hasMoved) return { ...address, redirect: canonicalPath };
  if (asWritten) return address;
  const redirect = prefixed(configuration, locale, written);
  // `/en/de` names no page: without its prefix it would be the German home page.
  const read = readPrefixes(redirect.slice(1).split('/'), configuration);
  const isSame = read.locale === locale && read.length === (locale === configuration.default_locale ? 0 : 1);
  // A malformed rest after the prefix is repaired as a whole, and only if the result is a page.
  const isPlain = plainlyWritten(written) === written;
  return !isSame || !isPlain ? address : { ...address, redirect };
}

/** A path in the site's own form: lower case, single slashes. Percent-encoding is not decoded. */
export function plainlyWritten(path: string): string {
  return path
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, (end) => (path.endsWith('//') ? '' : end))
    .replace(/%[\dA-Fa-f]{2}|[A-Z]/g, (sign) => (sign.length > 1 ? sign : sign.toLowerCase()));
}

function prefixed({ default_locale }: AddressConfiguration, locale: Locale, address: string): string {
  const prefix = locale === default_locale ? '' : `/${locale}`;
  return address === '' ? prefix || '/' : `${prefix}/${address}`;
}

/**
 * The path of a page in a language.
 * @param page without leading or trailing slashes, empty for the home page
 * @param variant true for its second layout, if it has one
 */
export function pathFor(
  configuration: AddressConfiguration,
  locale: Locale,
  page: string,
  variant = false,
): string {
  const second = variant ? variantAddress(page) : page;
  const address = second === page ? (ownAddress(configuration, locale, page) ?? page) : second;
  return prefixed(configuration, locale, address);
}

/** Prefix of a language's file names (feeds, manifest): the usual address of its home page. */
export function fileBase(configuration: AddressConfiguration, locale: Locale): string {
  return prefixed(configuration, locale, '').replace(/\/?$/, '/');
}

/** The target of a link to a page in a language: its path, or the configured whole address. */
export function linkTo(
  configuration: AddressConfiguration,
  locale: Locale,
  page: string,
  variant = false,
): string {
  const address = abnormalAddress(configuration, locale, page);
  return address !== undefined && isElsewhere(address)
    ? address
    : pathFor(configuration, locale, page, variant);
}

/** A page's address with the site's origin before it; an address of another site stays as it is. */
export function absolute(origin: string, href: string): string {
  return href.startsWith('/') ? origin + href : href;
}
