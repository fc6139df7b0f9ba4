import { type Locale, languages, locales } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { linkTo, parseAddress } from './addresses.ts';
import { localesOf } from './site-pages.ts';

/** The addresses of a page. */
export type PageAddresses = ReturnType<typeof addressesOf>;

/** A page in one language, for the switcher and the alternates. */
export type LanguageLink = PageAddresses['languages'][number];

const collator = new Intl.Collator('en');

/** Languages sorted by their own names: Latin script first, the others in Unicode order. */
const localesByName = locales.toSorted((one, other) =>
  collator.compare(languages[one].name, languages[other].name),
);

/** The configured languages, the most likely ones first. */
function inOrder({ locales: configured, default_locale }: SiteConfiguration, present: Locale): Locale[] {
  const likely = [...new Set([present, default_locale])];
  return [
    ...likely,
    ...localesByName.filter((locale) => !likely.includes(locale) && configured.includes(locale)),
  ];
}

/**
 * The addresses of the page of a URL, by language.
 * @param found the languages that have the page; by default those that the configuration gives for home, downloader and
 *   static pages. Pages from the content store (articles, categories, authors) must pass it and return the result as
 *   `addresses` of their loader's data, which the layout prefers to its own
 * @param page the page's name if it differs from its address (page 1 of a list)
 * @param query the part of the query, with its "?", that identifies the page; the rest is dropped
 */
export function addressesOf(
  configuration: SiteConfiguration,
  url: URL,
  found?: readonly Locale[],
  page?: string,
  query = '',
) {
  const address = parseAddress(url.pathname, configuration);
  const name = page ?? address.page;
  const has = found ?? localesOf(configuration, name);
  const isPlace = has.includes(address.locale);
  return {
    /** Path, or an `https://` address; null on screens without an address of their own. */
    canonical: isPlace ? linkTo(configuration, address.locale, name) + query : null,
    /** Path in the default language, for visitors who read none of the site's; null when that language lacks the page. */
    fallback: has.includes(configuration.default_locale)
      ? linkTo(configuration, configuration.default_locale, name) + query
      : null,
    /** All configured languages: the present one, then the default one, then all others by their names. */
    languages: inOrder(configuration, address.locale).map((locale) => {
      const hasPage = has.includes(locale);
      const link = (variant: boolean) =>
        hasPage ? linkTo(configuration, locale, name, variant) + query : linkTo(configuration, locale, '');
      return {
        locale,
        /** A path of this site, or another site's address that the configuration puts in its place; in the same layout. */
        href: link(address.variant),
        /** The path of the first layout, which identifies the page. */
        canonical: link(false),
        /** False where the page is not found in this language and `href` leads to the language's home page. */
        hasPage,
      };
    }),
  };
}

/**
 * The canonical address of the present page, even while it shows content without an address, such as the result of a
 * link. Null on screens without an address.
 */
export function ownPlace({ canonical, languages: [present] }: PageAddresses): string | null {
  return canonical ?? (present?.hasPage === true ? present.canonical : null);
}
