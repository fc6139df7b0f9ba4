import { type Locale, languages, locales } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { linkTo, parseAddress } from './addresses.ts';
import { localesOf } from './site-pages.ts';

/** A page in one language, for the switcher and the alternates. */
export interface LanguageLink {
  readonly locale: Locale;
  /** A path of this site, or another site's address that the configuration puts in its place; in the same layout. */
  readonly href: string;
  /** The same in the first layout: what the page is known by. */
  readonly canonical: string;
  /** False where the page is not found in this language and `href` leads to the language's home page. */
  readonly hasPage: boolean;
}

/** Where a page is found. */
export interface PageAddresses {
  /** Path, or an `https://` address; null on screens that are no place of their own. */
  readonly canonical: string | null;
  /** In the language that visitors are given who speak none of ours; null where that language lacks the page. */
  readonly fallback: string | null;
  /** All configured languages: the present one, then the default one, then all others by their names. */
  readonly languages: readonly LanguageLink[];
}

const collator = new Intl.Collator('en');

/** By their own names, as people look for them: Latin letters first, then the others as Unicode has them. */
const localesByName = locales.toSorted((one, other) =>
  collator.compare(languages[one].name, languages[other].name),
);

/** The configured languages, with those that are the most likely to be wanted first. */
function inOrder({ locales: configured, defaultLocale }: SiteConfiguration, present: Locale): Locale[] {
  const likely = [...new Set([present, defaultLocale])];
  return [
    ...likely,
    ...localesByName.filter((locale) => !likely.includes(locale) && configured.includes(locale)),
  ];
}

/**
 * Where the page of a URL is found, in which languages.
 * @param found the languages that have the page; without it, what the configuration says of home, downloader and
 *   static pages. Pages that live in the content store (articles, categories, authors) must say it, and give what comes
 *   back as `addresses` of their loader's data: the layout prefers that to its own.
 * @param page what the page is called when that differs from its address (page 1 of a list)
 * @param query with its "?": what of the query makes it a place of its own; everything else goes
 */
export function addressesOf(
  configuration: SiteConfiguration,
  url: URL,
  found?: readonly Locale[],
  page?: string,
  query = '',
): PageAddresses {
  const address = parseAddress(url.pathname, configuration);
  const name = page ?? address.page;
  const has = found ?? localesOf(configuration, name);
  const isPlace = has.includes(address.locale);
  return {
    canonical: isPlace ? linkTo(configuration, address.locale, name) + query : null,
    fallback: has.includes(configuration.defaultLocale)
      ? linkTo(configuration, configuration.defaultLocale, name) + query
      : null,
    languages: inOrder(configuration, address.locale).map((locale) => {
      const hasPage = has.includes(locale);
      const link = (variant: boolean) =>
        hasPage ? linkTo(configuration, locale, name, variant) + query : linkTo(configuration, locale, '');
      return { locale, href: link(address.variant), canonical: link(false), hasPage };
    }),
  };
}

/**
 * The place at which the present page is found by others: also while it shows something that is none, such as what a
 * link leads to. Null on screens that are no place at all.
 */
export function ownPlace({ canonical, languages: [present] }: PageAddresses): string | null {
  return canonical ?? (present?.hasPage === true ? present.canonical : null);
}
