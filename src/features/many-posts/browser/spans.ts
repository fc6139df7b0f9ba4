import { type Locale, languages } from '../../../i18n/languages.ts';

/** A span of time in words, in minutes or hours. */
export function inWords(minutes: number, locale: Locale): string {
  const [unit, value] = minutes < 90 ? ['minute', Math.max(1, minutes)] : ['hour', minutes / 60];
  return new Intl.NumberFormat(languages[locale].intl, {
    ...{ style: 'unit', unit: String(unit), unitDisplay: 'long', maximumFractionDigits: 0 },
  }).format(Math.ceil(Number(value)));
}
