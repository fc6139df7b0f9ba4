import { type Locale, languages } from '../../i18n/languages.ts';

/** A moment as people of a language write its day, and as machines read it. */
export interface ShownDate {
  readonly iso: string;
  readonly text: string;
}

/**
 * Written by the server, so that a browser in another time zone does not find another day.
 * @param time milliseconds since 1970
 */
export function showDate(time: number, locale: Locale): ShownDate {
  const format = new Intl.DateTimeFormat(languages[locale].lang, { dateStyle: 'long', timeZone: 'UTC' });
  return { iso: new Date(time).toISOString(), text: format.format(time) };
}
