import type { Locale } from '../../i18n/languages.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { joinPolicies, type PolicyAdditions } from '../../server/http/responses/security-headers.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { type ConsentCategory, consentCategories } from '../../site/consent/consent-cookie.ts';
import type { ServerSettings, VisitorSettings } from '../../site/visitors/settings.ts';
import { workerPolicy } from '../../site/visitors/worker-policy.ts';

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

/**
 * Assembles the settings and the policy of browser parts. Without a build there is no service worker.
 * @param own the policy of the site's own folder
 */
export function assembleVisitors(
  { environment, configuration, site }: Core,
  features: readonly FeatureServer[],
  own: PolicyAdditions,
): Pick<ServerDependencies, 'hasServiceWorker' | 'policy' | 'visitorSettings'> {
  const hasServiceWorker = environment.SERVICE_WORKER && site.shell !== undefined;
  const worker = hasServiceWorker ? { serviceWorker: '/sw.js' } : {};
  const asksFor = features.flatMap((feature) => feature.asksFor ?? []);
  const settingsIn = (locale: Locale) =>
    Object.assign({}, worker, ...features.map(({ settings }) => settings?.(locale)));
  // Made once: their object identity is a cache key for pages.
  const settings = new Map(
    configuration.locales.map((locale) => [
      locale,
      visitorSettings(configuration, locale, settingsIn(locale), asksFor),
    ]),
  );
  return {
    hasServiceWorker,
    policy: joinPolicies(
      { trustedTypes: hasServiceWorker ? [workerPolicy] : [] },
      own,
      ...features.map(({ policy }) => policy),
    ),
    visitorSettings: (locale) => settings.get(locale) ?? null,
  };
}
