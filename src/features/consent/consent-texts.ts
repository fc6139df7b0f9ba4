import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { linkTo } from '../../site/addressing/addresses.ts';
import type { ConsentCategory, ConsentMode } from '../../site/consent/consent-cookie.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import type { VisitorSettings } from '../../site/visitors/settings.ts';

/** The consent bar's texts. */
export interface ConsentTexts {
  readonly mode: ConsentMode;
  /** Name of the question, and text of the footer's link to it. */
  readonly name: string;
  readonly question: string;
  readonly policy: { readonly href: string; readonly text: string };
  readonly accept: string;
  readonly refuse: string;
  readonly choose: string;
  /** The categories to choose from; empty when there is only one. */
  readonly categories: readonly {
    readonly category: ConsentCategory;
    readonly name: string;
    readonly about: string;
  }[];
  readonly save: string;
  /** Said after an answer. */
  readonly kept: string;
  /** In the question's place where the browser has refused already. */
  readonly refused: string;
  readonly close: string;
}

/** The bar's texts; null when there is nothing to ask. */
export function consentTexts(
  { configuration, messages }: Pick<SiteServices, 'configuration' | 'messages'>,
  locale: Locale,
  settings: VisitorSettings | null,
): ConsentTexts | null {
  const asksFor = settings?.asksFor ?? [];
  const [first, ...others] = asksFor;
  if (settings === null || first === undefined) return null;
  const t = createTranslate<'common' | 'consent'>(locale, {
    ...messages(locale, 'common'),
    ...messages(locale, 'consent'),
  });
  return {
    mode: settings.consent,
    name: t('consent.name'),
    question: t(`consent.question.${others.length > 0 ? 'all' : first}`),
    policy: { href: linkTo(configuration, locale, 'cookies-policy'), text: t('menu.cookies-policy') },
    accept: t('consent.accept'),
    refuse: t('consent.refuse'),
    choose: t('consent.choose'),
    categories: (others.length > 0 ? asksFor : []).map((category) => ({
      category,
      name: t(`consent.${category}.name`),
      about: t(`consent.${category}.about`),
    })),
    save: t('consent.save'),
    kept: t('consent.kept'),
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
