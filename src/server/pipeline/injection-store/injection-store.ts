import type { SiteServices } from '../../../site/loaders/services.ts';
import type { RouteContext, RouteStep } from '../route-context.ts';

/** Puts the server's services for loaders into the page's load context. */
export function injectionStore(servicesFor: (context: RouteContext) => SiteServices): RouteStep {
  return {
    name: 'injection-store',
    before: (next) => (context) => {
      context.services = servicesFor(context);
      return next(context);
    },
  };
}
