import type { Locale } from '../../../i18n/languages.ts';

/**
 * Tells the server which language the visitor chose, so that it never sends them to another one. The same address
 * serves visitors without scripts, who go through it ({@link languageChoiceHref}).
 */
export function rememberLanguage(locale: Locale): void {
  navigator.sendBeacon('/cookie_set', new URLSearchParams({ name: 'lang', value: locale }));
}

/** Where a link of the language switcher leads without scripts: through the choice to the page. */
export function languageChoiceHref(locale: Locale, href: string): string {
  return `/cookie_set?${new URLSearchParams({ name: 'lang', value: locale, to: href })}`;
}
