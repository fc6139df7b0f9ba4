import { type Locale, languages } from '../../../i18n/languages.ts';

/** One formatter per language: creating one takes far longer than using it. */
const formats = new Map<Locale, Intl.DateTimeFormat>();

function formatOf(locale: Locale): Intl.DateTimeFormat {
  const known = formats.get(locale);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(languages[locale].lang, { dateStyle: 'long', timeZone: 'UTC' });
  formats.set(locale, made);
  return made;
}

/**
 * A date for people, in the page's language, and for machines. Formatted by the server, so that a browser in another
 * time zone does not show another day.
 * @param time milliseconds since 1970
 */
export function showDate(time: number, locale: Locale) {
  return { iso: new Date(time).toISOString(), text: formatOf(locale).format(time) };
}
