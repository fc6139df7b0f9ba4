import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import type { ConsentCategory } from '../../web/consent/consent-cookie.ts';
import { visitorSettings } from '../../web/document/visitor-settings.ts';
import type { ServerSettings, VisitorSettings } from '../../web/visitors/settings.ts';

/**
 * Makes the settings of each language once: what is made of a page's data is remembered with it.
 * @param asksFor what visitors are asked for besides what the configuration says
 * @param serverIn what, in a language, the environment turns on
 */
export function assembleVisitorSettings(
  configuration: SiteConfiguration,
  asksFor: readonly ConsentCategory[],
  serverIn: (locale: Locale) => ServerSettings,
): (locale: Locale) => VisitorSettings | null {
  const settings = new Map(
    configuration.locales.map((locale) => [
      locale,
      visitorSettings(configuration, locale, serverIn(locale), asksFor),
    ]),
  );
  return (locale) => settings.get(locale) ?? null;
}
