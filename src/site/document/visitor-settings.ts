import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import type { ConsentCategory } from '../consent/consent-cookie.ts';
import type { ServerSettings, VisitorSettings } from '../visitors/settings.ts';

/** The consent categories to ask for: those that a configured part needs. */
function consentNeeds(
  { visitors, partnerDomains }: SiteConfiguration,
  others: readonly ConsentCategory[],
): ConsentCategory[] {
  if (visitors.consent === 'off') return [];
  const needs: Readonly<Record<ConsentCategory, boolean>> = {
    statistics: visitors.hasStatistics,
    // Links to partners say who follows them, where visitors are known.
    marketing: visitors.tags !== null || (visitors.hasStatistics && partnerDomains.length > 0),
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
  const { consent, hasStatistics, analyticsUrl, appIds, tags, experiments } = configuration.visitors;
  const asksFor = consentNeeds(configuration, others);
  const hasExperiments = experiments.length > 0;
  if (asksFor.length === 0 && !hasExperiments && Object.keys(server).length === 0) return null;
  const id = tags?.ids[locale];
  return {
    consent,
    asksFor,
    ...(consent !== 'off' &&
      hasStatistics && {
        statistics: { base: analyticsUrl ?? '', partners: configuration.partnerDomains, appIds },
      }),
    ...(consent !== 'off' && tags !== null && id !== undefined && { tag: { host: tags.host, id } }),
    ...(hasExperiments && { experiments }),
    ...server,
  };
}
