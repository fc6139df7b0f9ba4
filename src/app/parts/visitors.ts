import type { Locale } from '../../i18n/languages.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { joinPolicies } from '../../server/http/responses/security-headers.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { visitorSettings } from '../../site/document/visitor-settings.ts';
import { workerPolicy } from '../../site/visitors/worker-policy.ts';

/** What the browser parts of the site and its features get, and may do. Without a build there is no service worker. */
export function assembleVisitors(
  { environment, configuration, site }: Core,
  features: readonly FeatureServer[],
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
      ...features.map(({ policy }) => policy),
    ),
    visitorSettings: (locale) => settings.get(locale) ?? null,
  };
}
