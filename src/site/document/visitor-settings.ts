import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { type ConsentCategory, consentCategories } from '../consent/consent-cookie.ts';
import type { ServerSettings, VisitorSettings } from '../visitors/settings.ts';

/**
 * The visitors' settings for the pages of a language; null when nothing is configured, so that nothing is sent.
 * @param server the environment's settings
 * @param needed consent categories that features need
 */
export function visitorSettings(
  configuration: SiteConfiguration,
  locale: Locale,
  server: ServerSettings,
  needed: readonly ConsentCategory[],
): VisitorSettings | null {
  const { consent, statistics, analytics_url = '', app_ids, tag_host, tag_ids, experiments } = configuration;
  const asksFor = consent === 'off' ? [] : consentCategories.filter((category) => needed.includes(category));
  const hasExperiments = experiments.length > 0;
  if (asksFor.length === 0 && !hasExperiments && Object.keys(server).length === 0) return null;
  const id = tag_ids[locale];
  return {
    consent,
    asksFor,
    ...(consent !== 'off' &&
      statistics && {
        statistics: { base: analytics_url, partners: configuration.partner_domains, appIds: app_ids },
      }),
    ...(consent !== 'off' && tag_host !== undefined && id !== undefined && { tag: { host: tag_host, id } }),
    ...(hasExperiments && { experiments }),
    ...server,
  };
}
