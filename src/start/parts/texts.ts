import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Content } from '../../content/content.ts';
import { createTexts, type Texts } from '../../content/texts.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import { isLocale, type Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { localizedPath } from '../../site/addressing/localized-path.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';

const legalFolder = join(import.meta.dirname, '../../../content/legal');

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
    findOwn: (path, locale) => localizedPath(path, known(locale), configuration, content),
  });
}
