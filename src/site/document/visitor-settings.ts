import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import type { ConsentCategory } from '../consent/consent-cookie.ts';
import type { ServerSettings, VisitorSettings } from '../visitors/settings.ts';

/** The consent categories to ask for: those that a configured part needs. */
function consentNeeds(
  { consent, statistics, tag_ids, partner_domains }: SiteConfiguration,
  others: readonly ConsentCategory[],
): ConsentCategory[] {
  if (consent === 'off') return [];
  const needs: Readonly<Record<ConsentCategory, boolean>> = {
    statistics,
    // Links to partners say who follows them, where visitors are known.
    marketing: Object.keys(tag_ids).length > 0 || (statistics && partner_domains.length > 0),
  };
  return (['statistics', 'marketing'] as const).filter(
    (category) => needs[category] || others.includes(category),
  );
}

/**
 * The visitors' settings for the pages of a language; null when nothing is configured, so that nothing is sent.
 * @param server the environment's settings
 * @param others further consent categories
 */
export function visitorSettings(
  configuration: SiteConfiguration,
  locale: Locale,
  server: ServerSettings,
  others: readonly ConsentCategory[] = [],
): VisitorSettings | null {
  const { consent, statistics, analytics_url = '', app_ids, tag_host, tag_ids, experiments } = configuration;
  const asksFor = consentNeeds(configuration, others);
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
