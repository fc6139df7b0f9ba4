import { pathFor } from '../../../site/addresses.ts';
import type { SiteConfiguration } from '../../../site/configuration.ts';
import type { RouteStep } from '../exchange.ts';
import { redirect } from '../redirect.ts';

/**
 * Sends visitors of former addresses to the present ones for good: the `www.` host to the bare one, and the pages of
 * `route_redirects`, each in its language.
 * @param origin the public origin
 */
export function routeRedirect(configuration: SiteConfiguration, origin: string): RouteStep {
  const { redirects } = configuration.serving;
  const formerHost = `www.${new URL(origin).host}`;
  return {
    name: 'route-redirect',
    before: (next) => (exchange) => {
      const { path, search, host, kind, method } = exchange;
      if (method !== 'GET' && method !== 'HEAD') return next(exchange);
      if (host.toLowerCase() === formerHost) return redirect(301, path + search, origin);
      if (kind !== 'document') return next(exchange);
      const target = redirects.get(exchange.address.page);
      if (target === undefined) return next(exchange);
      return redirect(301, pathFor(configuration, exchange.address.locale, target) + search);
    },
  };
}
