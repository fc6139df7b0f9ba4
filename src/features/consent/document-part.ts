import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { linkTo } from '../../site/addressing/addresses.ts';
import type { DocumentPart } from '../../site/document/document-data.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import type { VisitorSettings } from '../../site/visitors/settings.ts';

/** The consent bar's texts. */
export type ConsentTexts = NonNullable<ReturnType<typeof consentTexts>>;

/** The bar's texts; null when there is nothing to ask. */
function consentTexts(
  { configuration, messages }: Pick<SiteServices, 'configuration' | 'messages'>,
  locale: Locale,
  settings: VisitorSettings | null,
) {
  const asksFor = settings?.asksFor ?? [];
  const [first, ...others] = asksFor;
  if (settings === null || first === undefined) return null;
  const t = createTranslate<'common' | 'consent'>(locale, {
    ...messages(locale, 'common'),
    ...messages(locale, 'consent'),
  });
  return {
    mode: settings.consent,
    /** Name of the question, and text of the footer's link to it. */
    name: t('consent.name'),
    question: t(`consent.question.${others.length > 0 ? 'all' : first}`),
    policy: { href: linkTo(configuration, locale, 'cookies-policy'), text: t('menu.cookies-policy') },
    accept: t('consent.accept'),
    refuse: t('consent.refuse'),
    choose: t('consent.choose'),
    /** The categories to choose from; empty when there is only one. */
    categories: (others.length > 0 ? asksFor : []).map((category) => ({
      category,
      name: t(`consent.${category}.name`),
      about: t(`consent.${category}.about`),
    })),
    save: t('consent.save'),
    /** Said after an answer. */
    kept: t('consent.kept'),
    /** In the question's place where the browser has refused already. */
    refused: t('consent.refused'),
    close: t('consent.close'),
  };
}

declare module '../../site/document/document-data.ts' {
  interface FeatureDocument {
    /** The consent bar's; null when there is nothing to ask. */
    readonly consent: ConsentTexts | null;
  }
}

const part: DocumentPart = (services, { address, visitors }) => ({
  consent: consentTexts(services, address.locale, visitors),
});

export default part;
