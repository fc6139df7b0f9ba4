import type { Content } from '../../content/content.ts';
import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { linkTo, parseAddress } from './addresses.ts';
import { siteHas } from './site-pages.ts';

/** Where a link leads, and the language of the page there; null for what is no page. */
interface LocalizedPath {
  readonly path: string;
  readonly locale: Locale | null;
}

/**
 * Where a link inside a text leads in the text's language. Texts name pages of this site as those in the default
 * language do, without a language: its own page, or the translation of that article.
 * @returns the path itself where it names a language, and where the language has nothing of the kind
 */
export async function localizedPath(
  path: string,
  locale: Locale,
  configuration: SiteConfiguration,
  content: Pick<Content, 'article' | 'translations'>,
): Promise<LocalizedPath> {
  const { defaultLocale } = configuration;
  const { page, locale: named } = parseAddress(path, configuration);
  const saysLanguage = named !== defaultLocale || path.replace(/^\/|\/$/g, '') !== page;
  if (saysLanguage) return { path, locale: named };
  const [section = ''] = page.split('/', 1);
  const isBelow = page !== section && (section === 'posts' || section === 'author');
  const pageOf = isBelow ? section : page;
  if (siteHas(configuration, pageOf, locale)) return { path: linkTo(configuration, locale, page), locale };
  if (siteHas(configuration, pageOf, defaultLocale)) return { path, locale: defaultLocale };
  const article = (await content.article(defaultLocale, page)) ?? (await content.article(locale, page));
  if (article === null) return { path, locale: null };
  const translations = await content.translations(article.key);
  const own = translations.find((translation) => translation.locale === locale);
  return own === undefined
    ? { path, locale: defaultLocale }
    : { path: linkTo(configuration, locale, own.slug), locale };
}
