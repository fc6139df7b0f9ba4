import type { ConsentMode } from '../../../site/consent/consent-cookie.ts';
import type { RouteStep } from '../route-context.ts';

/**
 * Logs one line for each page request when its response was sent. The line contains no query, and a raw network address
 * only with implied consent.
 */
export function accessLog({ consent }: { consent: ConsentMode }): RouteStep {
  return {
    name: 'access-log',
    before: (next) => (context) => {
      context.facts = consent === 'implied' ? { address: context.networkAddress } : {};
      return next(context);
    },
  };
}
