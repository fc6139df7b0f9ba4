import type { Locale } from '../../../i18n/languages.ts';

/**
 * Reports the visitor's chosen language to the server, so that it never redirects them to another one. Without scripts,
 * visitors go through the same address ({@link languageChoiceHref}).
 */
export function rememberLanguage(locale: Locale): void {
  navigator.sendBeacon('/cookie_set', new URLSearchParams({ name: 'lang', value: locale }));
}

/** The target of a link of the language switcher without scripts: through the choice to the page. */
export function languageChoiceHref(locale: Locale, href: string): string {
  return `/cookie_set?${new URLSearchParams({ name: 'lang', value: locale, to: href })}`;
}
