import type { Catalogues } from './message-values.ts';

/** Direction of a script, as in the `dir` attribute. */
export type Direction = 'ltr' | 'rtl';

/** The facts about a language besides its texts. */
export interface Language {
  /** The language's own name, for the switcher. */
  readonly name: string;
  readonly direction: Direction;
  /** BCP 47, for the `lang` attribute. */
  readonly lang: string;
  /** The code in alternate links: search engines expect two letters, so this is often shorter than `lang`. */
  readonly hreflang: string;
  /** The locale of `Intl`: fixes choices that browsers and Node make differently, so that both format alike. */
  readonly intl: string;
  /** The value of `og:locale`: language and territory. */
  readonly ogLocale: string;
}

const language = (name: string, tag: string, ogLocale: string, other: Partial<Language> = {}): Language => ({
  name,
  direction: 'ltr',
  lang: tag,
  hreflang: tag,
  intl: tag,
  ogLocale,
  ...other,
});

/** The languages of the site by their address prefixes, the default one first. */
export const languages = {
  en: language('English', 'en', 'en_US'),
  ar: language('العربية', 'ar', 'ar_AR', { direction: 'rtl', intl: 'ar-u-nu-latn' }),
  pl: language('Polski', 'pl', 'pl_PL'),
  tr: language('Türkçe', 'tr', 'tr_TR'),
  it: language('Italiano', 'it', 'it_IT'),
  bg: language('Български', 'bg', 'bg_BG'),
  ru: language('Русский', 'ru', 'ru_RU'),
  hu: language('Magyar', 'hu', 'hu_HU'),
  es: language('Español', 'es', 'es_ES'),
  de: language('Deutsch', 'de', 'de_DE'),
  pt: language('Português', 'pt', 'pt_BR', { intl: 'pt-BR' }),
  sr: language('Srpski', 'sr-Latn', 'sr_RS', { hreflang: 'sr' }),
  sv: language('Svenska', 'sv', 'sv_SE'),
  fr: language('Français', 'fr', 'fr_FR'),
  el: language('Ελληνικά', 'el', 'el_GR'),
  nl: language('Nederlands', 'nl', 'nl_NL'),
  da: language('Dansk', 'da', 'da_DK'),
  tl: language('Filipino', 'fil', 'tl_PH', { hreflang: 'tl' }),
  th: language('ไทย', 'th', 'th_TH'),
  hi: language('हिन्दी', 'hi', 'hi_IN', { intl: 'hi-u-nu-latn' }),
  id: language('Bahasa Indonesia', 'id', 'id_ID'),
  ko: language('한국어', 'ko', 'ko_KR'),
  zh: language('简体中文', 'zh-Hans', 'zh_CN', { hreflang: 'zh' }),
  ja: language('日本語', 'ja', 'ja_JP'),
} as const satisfies Record<string, Language>;

/** Name of a language in addresses. */
export type Locale = keyof typeof languages;

export const locales = Object.keys(languages) as [Locale, ...Locale[]];

/** Needs no prefix in addresses; its texts stand in where another language lacks one. */
export const defaultLocale = 'en' satisfies Locale;

/** Whether a text is a language's name in addresses. */
export function isLocale(text: string): text is Locale {
  return Object.hasOwn(languages, text);
}

/** One file of messages. A page ships `common`, the files of its parts, and its own. */
export type CataloguePage = keyof Catalogues;

/** More than any browser sends; what follows is not looked at. */
const maxHeaderLength = 1000;
const maxRanges = 32;

/** Other codes by which browsers request our languages. */
const aliases: Readonly<Record<string, Locale>> = { fil: 'tl' };

/** `en-GB;q=0.8` as RFC 9110 section 12.4.2 and RFC 4647 section 2.1 write it. */
const rangePattern = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/i;

/**
 * The visitor's preferred language among ours, by RFC 9110 section 12.5.4: highest weight first, then the header's
 * order; `de` serves `de-AT`; a weight of 0 excludes a language.
 * @param acceptLanguage the raw header; malformed parts are ignored
 */
export function negotiateLocale(acceptLanguage: string | undefined): Locale {
  const ranges = (acceptLanguage ?? '')
    .slice(0, maxHeaderLength)
    .split(',', maxRanges)
    .flatMap((part) => {
      const [, tag, weight = '1'] = rangePattern.exec(part.trim()) ?? [];
      return tag === undefined ? [] : [{ tag: tag.toLowerCase(), weight: Math.min(Number(weight), 1) }];
    })
    .sort((a, b) => b.weight - a.weight);
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ tag }) => localeFor(tag)));
  for (const { tag, weight } of ranges) {
    if (weight === 0) break;
    const locale = tag === '*' ? locales.find((one) => !refused.has(one)) : localeFor(tag);
    if (locale !== undefined && (tag === '*' || !refused.has(locale))) return locale;
  }
  return defaultLocale;
}

/** The language of ours for a language tag in lower case (BCP 47), by its primary language. */
export function localeFor(tag: string): Locale | undefined {
  const primary = tag.split('-', 1)[0] ?? '';
  return isLocale(primary) ? primary : aliases[primary];
}
