import type { Locale } from '../i18n/languages.ts';

/** What the grammar needs to know of the site configuration. */
export interface AddressConfiguration {
  readonly locales: readonly Locale[];
  readonly defaultLocale: Locale;
}

/** A path read by the grammar `[/tr][/{lang}]/{page}`. */
export interface Address {
  readonly locale: Locale;
  /** What stands behind the language, without slashes at its ends; empty for the home page. May name no page. */
  readonly page: string;
  /** The one path under which this page is found in this language; the home page's for a path that can be no page's. */
  readonly canonicalPath: string;
  /** Where an old or oddly written address is sent for good (301); always a path of this site. */
  readonly redirect?: string;
}

/** The site's first base path, which is also the Turkish prefix. */
const BASE = 'tr';

/** Names that languages had in earlier addresses. */
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
  return { locale, asWritten: segment === locale && locale !== configuration.defaultLocale };
}

/**
 * Reads a URL's path. Never fails: a path that fits nothing comes back as a `page` that nobody knows.
 *
 * @param pathname as `URL.pathname` gives it; percent-encoding is left alone
 */
export function parseAddress(pathname: string, configuration: AddressConfiguration): Address {
  const segments = pathname.replace(/^\//, '').replace(/\/$/, '').split('/');
  let at = 0;
  let locale = configuration.defaultLocale;
  let asWritten = true;
  const first = readPrefix(segments[0], configuration);
  if (first !== undefined) {
    at = 1;
    locale = first.locale;
    asWritten = first.asWritten;
    const second = first.locale === BASE ? readPrefix(segments[1], configuration) : undefined;
    if (second !== undefined) {
      at = 2;
      locale = second.locale;
      asWritten = first.asWritten && second.asWritten && second.locale !== BASE;
    }
  }
  const rest = segments.slice(at);
  const page = rest.join('/');
  // An empty segment could turn a path into `//host`, and a backslash too: a browser would read another site's name.
  const clean = page === '' || rest.every((segment) => segment !== '' && !segment.includes('\\'));
  const canonicalPath = pathFor(configuration, locale, clean ? page : '');
  if (!asWritten && clean) return { locale, page, canonicalPath, redirect: canonicalPath };
  return { locale, page, canonicalPath };
}

/** The path of a page in a language; `page` without slashes at its ends, empty for the home page. */
export function pathFor(configuration: AddressConfiguration, locale: Locale, page: string): string {
  const prefix = locale === configuration.defaultLocale ? '' : `/${locale}`;
  return page === '' ? prefix || '/' : `${prefix}/${page}`;
}
