import type { Locale } from '../../i18n/languages.ts';

/**
 * Tells the server which language the visitor chose, so that it never sends them to another one.
 */
export function rememberLanguage(locale: Locale): void {
  navigator.sendBeacon('/cookie_set', new URLSearchParams({ name: 'lang', value: locale }));
}
