import type { ConsentMode } from '../../consent/consent-cookie.ts';
import type { RouteStep } from '../exchange.ts';

/**
 * Has one line written for each page that was asked for, when its answer has been sent. It names no query, and no
 * raw network address unless visitors' consent is implied.
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
