import { writeCookie } from '../../../web/http/visitor/cookies.ts';
import type { RouteStep } from '../../../web/pipeline/exchange.ts';
import { type Experiment, isRunning, variantFor } from '../../../web/visitors/experiment.ts';
import { experimentItem } from '../../../web/visitors/stored/experiment-item.ts';

/**
 * Puts a visitor into a variant of each experiment that runs on the page, at random and for 30 days. The cookies go to
 * the visitor alone, and a page depends on them only where the cache's key format names `ab`; otherwise scripts act on
 * them. What an address says of variants is another visitor's.
 * @param random 0 to 1, below 1
 */
export function abTest(
  experiments: readonly Experiment[],
  random: () => number,
  now: () => number = Date.now,
): RouteStep {
  return {
    name: 'ab-test',
    before: (next) => (exchange) => {
      const { kind, method, address, buckets, cookies, isSecure } = exchange;
      if (kind !== 'document' || method === 'HEAD') return next(exchange);
      for (const experiment of experiments) {
        if (!isRunning(experiment, `/${address.page}`, now())) continue;
        const { name } = experiment;
        const known = exchange.sentCookie(name);
        const value = variantFor(experiment, known, random());
        buckets[name] = value;
        if (value !== known)
          cookies.push(
            writeCookie({ name, value, maxAgeS: experimentItem.lifeS, isForScripts: true }, isSecure),
          );
      }
      return next(exchange);
    },
  };
}
