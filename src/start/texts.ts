import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Content } from '../content/content.ts';
import { createTexts, type Texts } from '../content/texts.ts';
import { loadMessages } from '../i18n/catalogue.ts';
import { isLocale, type Locale } from '../i18n/languages.ts';
import { createTranslate } from '../i18n/translate.ts';
import { linkTo, parseAddress } from '../site/addressing/addresses.ts';
import { siteHas } from '../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../site/configuration/configuration.ts';

const legalFolder = join(import.meta.dirname, '../../content/legal');

/** Where a path is found that a text of a language names as English texts do: without a language. */
async function findInLanguage(
  path: string,
  locale: Locale,
  configuration: SiteConfiguration,
  content: Content,
): Promise<string> {
  const { page, locale: named } = parseAddress(path, configuration);
  const saysLanguage = named !== configuration.defaultLocale || path.replace(/^\/|\/$/g, '') !== page;
  if (saysLanguage || locale === configuration.defaultLocale) return path;
  const [section = ''] = page.split('/', 1);
  const isBelow = page !== section && (section === 'posts' || section === 'author');
  if (siteHas(configuration, isBelow ? section : page, locale)) return linkTo(configuration, locale, page);
  const article =
    (await content.article(configuration.defaultLocale, page)) ?? (await content.article(locale, page));
  if (article === null) return path;
  const translations = await content.translations(article.key);
  const own = translations.find((translation) => translation.locale === locale);
  return own === undefined ? path : linkTo(configuration, locale, own.slug);
}

/** The site's long texts, with its languages, addresses and rules for links. */
export function assembleTexts(
  configuration: SiteConfiguration,
  origin: string,
  content: Content,
  logger: Logger,
): Texts {
  const { domain, operator, contactEmail, partnerDomains, defaultLocale } = configuration;
  const known = (locale: string): Locale => (isLocale(locale) ? locale : defaultLocale);
  return createTexts({
    folder: legalFolder,
    values: { domain, operator, contact_email: contactEmail },
    rulesFor(locale) {
      const t = createTranslate<'posts'>(known(locale), loadMessages(known(locale), 'posts'));
      const labels = { notes: t('article.notes'), backToText: t('article.back-to-text') };
      return { locale, origin, partnerDomains, labels };
    },
    onBare: (error) => logger.warn({ err: error }, 'a text is shown without markup'),
    findOwn: (path, locale) => findInLanguage(path, known(locale), configuration, content),
  });
}
