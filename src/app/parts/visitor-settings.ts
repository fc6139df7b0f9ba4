import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { ConsentCategory } from '../../site/consent/consent-cookie.ts';
import { visitorSettings } from '../../site/document/visitor-settings.ts';
import type { ServerSettings, VisitorSettings } from '../../site/visitors/settings.ts';

/**
 * Makes the settings of each language once: their object identity is a cache key for pages.
 * @param asksFor what visitors are asked to consent to
 * @param serverIn the environment's settings, by language
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
