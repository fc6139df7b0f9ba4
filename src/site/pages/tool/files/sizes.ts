import { type Locale, languages } from '../../../../i18n/languages.ts';

/** A file size for people: "3.4 MB", in the language's own digits and unit. */
export function formatBytes(bytes: number, locale: Locale): string {
  const [unit, value] = bytes >= 999_500 ? ['megabyte', bytes / 1e6] : ['kilobyte', Math.max(1, bytes / 1e3)];
  return new Intl.NumberFormat(languages[locale].intl, {
    style: 'unit',
    unit: String(unit),
    // Arabic abbreviates megabytes, but has no abbreviation for kilobytes.
    unitDisplay: locale === 'ar' ? 'narrow' : 'short',
    maximumFractionDigits: unit === 'megabyte' && Number(value) < 100 ? 1 : 0,
  }).format(Number(value));
}

/** A length for people, as players show it: "0:42", "1:02:03". */
export function formatLength(seconds: number, locale: Locale): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  const plain = new Intl.NumberFormat(languages[locale].intl, { useGrouping: false });
  const padded = new Intl.NumberFormat(languages[locale].intl, {
    useGrouping: false,
    minimumIntegerDigits: 2,
  });
  return shown.map((part, at) => (at === 0 ? plain : padded).format(part)).join(':');
}

/** The length in machine-readable form (`<time datetime>`), ISO 8601. */
export function isoDuration(seconds: number): string {
  return `PT${Math.max(0, Math.round(seconds))}S`;
}
