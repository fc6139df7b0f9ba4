import type { SiteServices } from '../../loaders/services.ts';
import type { PageExchange, RouteStep } from '../exchange.ts';

/** Injects into the page's load context what its loaders may ask of the server. */
export function injectionStore(servicesFor: (exchange: PageExchange) => SiteServices): RouteStep {
  return {
    name: 'injection-store',
    before: (next) => (exchange) => {
      exchange.services = servicesFor(exchange);
      return next(exchange);
    },
  };
}
