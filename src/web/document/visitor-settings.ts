import type { Locale } from '../../i18n/languages.ts';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import type { ConsentCategory } from '../consent/consent-cookie.ts';
import type { ServerSettings, VisitorSettings } from '../visitors/settings.ts';

/** What visitors are asked for: what something is configured for that needs it. */
function askedFor(
  { visitors, partnerDomains }: SiteConfiguration,
  { monitoring }: ServerSettings,
): ConsentCategory[] {
  if (visitors.consent === 'off') return [];
  const needs: Readonly<Record<ConsentCategory, boolean>> = {
    // Pages are timed and visits recorded for it.
    statistics: visitors.hasStatistics || monitoring !== undefined,
    // Links to partners say who follows them, where visitors are known.
    marketing: visitors.tags !== null || (visitors.hasStatistics && partnerDomains.length > 0),
  };
  return (['statistics', 'marketing'] as const).filter((category) => needs[category]);
}

/**
 * The visitors' settings for the pages of a language; null where nothing is configured, so that nothing is sent.
 * @param server what the environment turns on
 */
export function visitorSettings(
  configuration: SiteConfiguration,
  locale: Locale,
  server: ServerSettings,
): VisitorSettings | null {
  const { consent, hasStatistics, analyticsUrl, appIds, tags, experiments } = configuration.visitors;
  const asksFor = askedFor(configuration, server);
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
