import { isLocale, type Locale } from '../../src/i18n/languages.ts';

/** Messages, as `page:key`, that read the same in several languages for a reason. */
export const sameInEveryLanguage: ReadonlySet<string> = new Set(['common:footer.copyright']);

/** The outer quotation marks of each language, as its printed books have them. */
const quotes: Readonly<Record<Locale, string>> = {
  en: '“”',
  ar: '«»',
  pl: '„”',
  tr: '“”',
  it: '«»',
  bg: '„“',
  ru: '«»',
  hu: '„”',
  es: '«»',
  de: '„“',
  pt: '“”',
  sr: '„“',
  sv: '””',
  fr: '«»',
  el: '«»',
  nl: '‘’',
  da: '»«',
  tl: '“”',
  th: '“”',
  hi: '“”',
  id: '“”',
  ko: '‘’',
  zh: '“”',
  ja: '「」',
};

const marks = /["“”„«»「」]/gu;

/** The problem of the quotation marks in a text. @param words the text without placeholders */
export function quotesOf(locale: string, words: string): string[] {
  const found: string[] = [];
  if (words.includes('"')) found.push('has straight quotation marks');
  if (/\p{L}'\p{L}/u.test(words)) found.push('has a straight apostrophe');
  const own = isLocale(locale) ? quotes[locale] : undefined;
  const foreign = new Set((words.match(marks) ?? []).filter((mark) => mark !== '"' && !own?.includes(mark)));
  if (own !== undefined && foreign.size > 0)
    found.push(`has ${[...foreign].join(' ')} where the language uses ${own}`);
  return found;
}
