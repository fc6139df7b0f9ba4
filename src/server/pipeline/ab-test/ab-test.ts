import { readCookie, writeCookie } from '../../http/cookies.ts';
import type { RouteStep } from '../exchange.ts';

/** The tests that run, by the name of their cookie. */
const tests = ['sidebarAB', 'resourceBannerAB'] as const;

const lifeS = 30 * 86_400;

/**
 * Puts a visitor into one half of each test, at random and for 30 days. The cookies go to the visitor alone, and a
 * page depends on them only where the cache's key format names `ab`; otherwise scripts act on them.
 * @param random 0 to 1, below 1
 */
export function abTest(random: () => number): RouteStep {
  return {
    name: 'ab-test',
    before: (next) => (exchange) => {
      if (exchange.kind !== 'document' || exchange.method === 'HEAD') return next(exchange);
      for (const name of tests) {
        const known = readCookie(exchange.headers.cookie, name);
        const value = known === 'a' || known === 'b' ? known : random() < 0.5 ? 'a' : 'b';
        exchange.buckets[name] = value;
        if (value === known) continue;
        exchange.cookies.push(
          writeCookie({ name, value, maxAgeS: lifeS, isForScripts: true }, exchange.isSecure),
        );
      }
      return next(exchange);
    },
  };
}
