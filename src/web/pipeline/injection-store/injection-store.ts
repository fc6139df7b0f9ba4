import type { SiteServices } from '../../loaders/services.ts';
import type { PageExchange, RouteStep } from '../exchange.ts';

/** Puts the server's services for loaders into the page's load context. */
export function injectionStore(servicesFor: (exchange: PageExchange) => SiteServices): RouteStep {
  return {
    name: 'injection-store',
    before: (next) => (exchange) => {
      exchange.services = servicesFor(exchange);
      return next(exchange);
    },
  };
}
