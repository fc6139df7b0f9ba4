import type { ConsentMode } from '../../consent/consent-cookie.ts';
import type { RouteStep } from '../exchange.ts';

/**
 * Logs one line for each page request when its response was sent. The line contains no query, and a raw network address
 * only with implied consent.
 */
export function accessLog({ consent }: { consent: ConsentMode }): RouteStep {
  return {
    name: 'access-log',
    before: (next) => (exchange) => {
      exchange.facts = consent === 'implied' ? { address: exchange.networkAddress } : {};
      return next(exchange);
    },
  };
}
