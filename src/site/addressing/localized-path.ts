import type { Content } from '../../content/content.ts';
import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { linkTo, parseAddress } from './addresses.ts';
import { siteHas } from './site-pages.ts';

/** The target of a link and its language; null when it is no page. */
interface LocalizedPath {
  readonly path: string;
  readonly locale: Locale | null;
}

/**
 * The target, in the text's language, of a link inside a text. Texts name pages of this site as in the default
 * language, without a language prefix. The result is the language's own page or the translation of that article.
 * @returns the path unchanged if it names a language, or the language has no such page
 */
export async function localizedPath(
  path: string,
  locale: Locale,
  configuration: SiteConfiguration,
  content: Pick<Content, 'article' | 'translations'>,
): Promise<LocalizedPath> {
  const { default_locale } = configuration;
  const { page, locale: named } = parseAddress(path, configuration);
  const saysLanguage = named !== default_locale || path.replace(/^\/|\/$/g, '') !== page;
  if (saysLanguage) return { path, locale: named };
  const [section = ''] = page.split('/', 1);
  const isBelow = page !== section && (section === 'posts' || section === 'author');
  const pageOf = isBelow ? section : page;
  if (siteHas(configuration, pageOf, locale)) return { path: linkTo(configuration, locale, page), locale };
  if (siteHas(configuration, pageOf, default_locale)) return { path, locale: default_locale };
  const article = (await content.article(default_locale, page)) ?? (await content.article(locale, page));
  if (article === null) return { path, locale: null };
  const translations = await content.translations(article.key);
  const own = translations.find((translation) => translation.locale === locale);
  return own === undefined
    ? { path, locale: default_locale }
    : { path: linkTo(configuration, locale, own.slug), locale };
}
