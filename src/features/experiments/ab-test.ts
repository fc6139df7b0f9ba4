import { writeCookie } from '../../server/http/visitor/cookies.ts';
import type { RouteStep } from '../../server/pipeline/route-context.ts';
import { type Experiment, isRunning, variantFor } from '../../site/visitors/experiment.ts';
import { experimentItem } from '../../site/visitors/stored/stored-item.ts';

/**
 * Assigns a visitor to a variant of each experiment on the page, at random and for 30 days. The cookies are the
 * visitor's own, and a page depends on them only if the cache's key format names `ab`; otherwise scripts apply them.
 * Variants in an address are another visitor's and are ignored.
 * @param random 0 to 1, below 1
 */
export function abTest(
  experiments: readonly Experiment[],
  random: () => number,
  now: () => number = Date.now,
): RouteStep {
  return {
    name: 'ab-test',
    before: (next) => (context) => {
      const { kind, method, address, buckets, cookies, isSecure } = context;
      if (kind !== 'document' || method === 'HEAD') return next(context);
      for (const experiment of experiments) {
        if (!isRunning(experiment, `/${address.page}`, now())) continue;
        const { name } = experiment;
        const known = context.sentCookie(name);
        const value = variantFor(experiment, known, random());
        buckets[name] = value;
        if (value !== known)
          cookies.push(
            writeCookie({ name, value, maxAgeS: experimentItem.lifeS, isForScripts: true }, isSecure),
          );
      }
      return next(context);
    },
  };
}
