import { data, type LoaderFunctionArgs } from 'react-router';
import type { Category } from '../../../content/content.ts';
import { type Locale, languages } from '../../../i18n/languages.ts';
import { fileBase, linkTo, pathFor } from '../../addressing/addresses.ts';
import { addressesOf, type LanguageLink, type PageAddresses } from '../../addressing/page-addresses.ts';
import { siteHas, siteHasSection } from '../../addressing/site-pages.ts';
import type { StaticPage } from '../../configuration/static-pages.ts';
import { openStaticPage, type PageContext, translateFor } from '../../loaders/page-context.ts';
import { type CategoryLink, findCategory, toCategoryLink } from '../cards/cards.ts';

/** Articles on a page of a list. */
export const articlesPerPage = 12;

/** Data that the loaders of all posts pages start from. */
export type BlogRequest = ReturnType<typeof withTranslate>;

/** {@link openStaticPage} with the texts of the posts pages. */
export function openBlogPage(request: LoaderFunctionArgs, ...names: readonly StaticPage[]): BlogRequest {
  return withTranslate(openStaticPage(request, ...names));
}

/** A page request with the texts of the posts pages. */
export function withTranslate(page: PageContext) {
  return { ...page, t: translateFor(page, 'common', 'posts') };
}

/** The number of a page of a list. @throws the 404 response for anything else */
export function pageNumber(written: string | undefined): number {
  if (written === undefined) return 1;
  if (!/^[1-9]\d{0,6}$/.test(written)) throw data(null, { status: 404 });
  return Number(written);
}

/** A page past the end of a list does not exist; the first page always does. */
export function refusePastEnd({ page, pages }: { page: number; pages: number }): void {
  if (page > Math.max(1, pages)) throw data(null, { status: 404 });
}

/** Links between the pages of the list that is found at a page's address. */
export function listPagination(
  { services, address, t }: BlogRequest,
  list: { page: number; pages: number },
  at: string,
): Pagination | null {
  const { locale, variant } = address;
  const hrefOf = (number: number) =>
    pathFor(services.configuration, locale, number === 1 ? at : `${at}/${number}`, variant);
  return paginate(list, hrefOf, {
    label: t('pages.label'),
    previous: t('pages.previous'),
    next: t('pages.next'),
    number: (page) => t('pages.number', { page }),
    lang: languages[locale].lang,
  });
}

/** A title that names its page of a list, from the second on. */
export function pagedTitle({ t, address }: BlogRequest, title: string, page: number): string {
  if (page === 1) return title;
  const number = new Intl.NumberFormat(languages[address.locale].lang).format(page);
  return t('page.title', { title, page: number });
}

/** The trail from the home page to the last step, over those that the language has. */
export function breadcrumbOf(
  { services: { configuration }, address: { locale, variant }, t }: BlogRequest,
  ...steps: readonly { readonly name: string; readonly page: string }[]
) {
  const shown = steps.filter(
    (step) => step === steps.at(-1) || siteHasSection(configuration, step.page, locale),
  );
  const trail = [{ name: t('menu.home'), page: '' }, ...shown].map(({ name, page }) => ({
    name,
    href: linkTo(configuration, locale, page, variant),
  }));
  return { label: t('article.breadcrumb'), trail };
}

/** The names and the address of a language's feeds of articles. */
export const listFeed = ({ services: { configuration }, address: { locale }, t }: BlogRequest) => ({
  text: t('feed.rss'),
  title: t('feed.title', { domain: configuration.brand }),
  base: fileBase(configuration, locale),
});

/** A category with its number of articles. */
export interface Topic extends CategoryLink {
  readonly count: string;
  readonly isPresent: boolean;
}

/** All categories that have something to read, and the present one. */
export function listTopics(
  { services, address, t }: BlogRequest,
  categories: readonly Category[],
  present: Category | null,
): Topic[] {
  if (!siteHas(services.configuration, 'posts', address.locale)) return [];
  const context = { configuration: services.configuration, address };
  return categories
    .filter((category) => category.articles > 0 || category.id === present?.id)
    .map((category) => ({
      ...toCategoryLink(category, findCategory(categories, (one) => one === category)?.place ?? 0, context),
      count: t('category.count', { count: category.articles }),
      isPresent: category.id === present?.id,
    }));
}

/**
 * The addresses of one page of a list. A further page exists in its own language only; its language switcher leads to
 * the list's first page in the others.
 * @param base the first page's name
 * @param locales the languages that have the list; by default those that the configuration gives
 */
export function listAddresses(
  { services: { configuration }, address }: PageContext,
  url: URL,
  base: string,
  page: number,
  locales?: readonly Locale[],
): PageAddresses {
  const addresses =
    page === 1
      ? addressesOf(configuration, url, locales, base)
      : addressesOf(configuration, url, [address.locale], `${base}/${page}`);
  const toFirst = (language: LanguageLink): LanguageLink =>
    language.hasPage || !siteHasSection(configuration, base, language.locale)
      ? language
      : { ...language, href: linkTo(configuration, language.locale, base, address.variant) };
  return { ...addresses, languages: addresses.languages.map(toFirst) };
}

/** Links between the pages of a list. */
export type Pagination = NonNullable<ReturnType<typeof paginate>>;

/** The first, the last, and those around the present one. */
function shownNumbers(page: number, pages: number): number[] {
  const around = [page - 2, page - 1, page, page + 1, page + 2];
  const numbers = new Set([1, ...around.filter((number) => number >= 1 && number <= pages), pages]);
  return [...numbers].sort((a, b) => a - b);
}

/**
 * Links between the pages of a list; null when there is only one.
 * @param hrefOf address of a page, 1 being the first
 */
export function paginate(
  { page, pages }: { page: number; pages: number },
  hrefOf: (page: number) => string,
  labels: { label: string; previous: string; next: string; number: (page: string) => string; lang: string },
) {
  if (pages < 2) return null;
  const numbers = shownNumbers(page, pages);
  const format = new Intl.NumberFormat(labels.lang);
  return {
    label: labels.label,
    previous: page > 1 ? { text: labels.previous, href: hrefOf(page - 1) } : null,
    next: page < pages ? { text: labels.next, href: hrefOf(page + 1) } : null,
    pages: numbers.map((number, at) => ({
      number,
      /** In the language's digits. */
      text: format.format(number),
      /** Read out instead of the bare number. */
      label: labels.number(format.format(number)),
      href: hrefOf(number),
      isPresent: number === page,
      /** Numbers before this one are left out. */
      afterGap: at > 0 && number - (numbers[at - 1] ?? 0) > 1,
    })),
  };
}
