import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Content } from '../../../content/content.ts';
import { type ContentRenderer, createContentRenderer } from '../../../content/content-renderer.ts';
import type { LegalValues } from '../../../content/legal/fill.ts';
import { translateTo } from '../../../i18n/catalogue.ts';
import { isLocale, type Locale, languages } from '../../../i18n/languages.ts';
import { localizedPath } from '../../../site/addressing/localized-path.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';

const legalFolder = join(import.meta.dirname, '../../../../content/legal');

/**
 * The site's long texts, with its languages, addresses and rules for links.
 * @param legalIn what legal documents say of the site
 * @param ownLegal folder of the site's own legal documents; null for none
 */
export function assembleContentRenderer(
  configuration: SiteConfiguration,
  origin: string,
  content: Content,
  logger: Logger,
  legalIn: (locale: Locale) => LegalValues,
  ownLegal: string | null,
): ContentRenderer {
  const { partner_domains, default_locale } = configuration;
  const known = (locale: string): Locale => (isLocale(locale) ? locale : default_locale);
  return createContentRenderer({
    folders: ownLegal === null ? [legalFolder] : [ownLegal, legalFolder],
    valuesFor: (locale) => legalIn(known(locale)),
    rulesFor(locale) {
      const t = translateTo(known(locale), 'posts');
      const labels = { notes: t('article.notes'), backToText: t('article.back-to-text') };
      return { locale, origin, partnerDomains: partner_domains, labels };
    },
    onBare: (error) => logger.warn({ err: error }, 'a text is shown without markup'),
    async findOwn(path, locale) {
      const own = known(locale);
      const found = await localizedPath(path, own, configuration, content);
      if (found.locale === null || found.locale === own) return { href: found.path };
      const { lang, name } = languages[found.locale];
      // Languages phrase "in English" differently; for other languages their name is enough.
      const note = found.locale === 'en' ? translateTo(own, 'posts')('article.in-english') : `(${name})`;
      return { href: found.path, otherLanguage: { lang, note } };
    },
  });
}
