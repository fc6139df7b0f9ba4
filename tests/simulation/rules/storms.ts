import type { Report } from './violations.ts';

const windowMs = 1000;
/** Consecutive failed posts before a strategy is probed: the default of the circuit breakers. */
const failuresToExamine = 5;

/**
 * Requests to the platform per second. In any second a strategy is called at most once for each wanted post, once more
 * for a fresh reading, once more for each abandoned reading, once by each instance as a probe and again for every five
 * failed posts, and once as a trial of an open breaker. When all breakers are open, only trials remain.
 */
export interface StormRules {
  /** A visitor wants a post from now on. @returns a function that ends it */
  want(post: string): () => void;
  /** How long nobody has wanted a post, in ms; 0 while somebody does. */
  unwantedMs(post: string): number;
  /** @param givenUp readings that were given up in the last so many ms */
  request(strategy: string, givenUp: (withinMs: number) => number): void;
  /** Maximum requests by one strategy in a second, and the limit at that time. */
  readonly most: { readonly requests: number; readonly allowed: number };
}

/** @param instances of the group */
export function createStormRules(
  name: string,
  instances: number,
  now: () => number,
  report: Report,
): StormRules {
  const wanted = new Map<string, { count: number; lastAt: number }>();
  const requests = new Map<string, number[]>();
  let most = { requests: 0, allowed: 0 };
  return {
    want(post) {
      const one = wanted.get(post) ?? { count: 0, lastAt: 0 };
      wanted.set(post, one);
      one.count += 1;
      return () => {
        one.count -= 1;
        one.lastAt = now();
      };
    },
    unwantedMs(post) {
      const one = wanted.get(post);
      return one === undefined || one.count > 0 ? 0 : now() - one.lastAt;
    },
    request(strategy, givenUp) {
      const times = requests.get(strategy) ?? [];
      requests.set(strategy, times);
      times.push(now());
      while ((times[0] ?? now()) < now() - windowMs) times.shift();
      const posts = [...wanted.values()].filter(
        ({ count, lastAt }) => count > 0 || lastAt >= now() - windowMs,
      ).length;
      const allowed = posts + givenUp(windowMs) + instances + Math.floor(posts / failuresToExamine) + 1;
      if (times.length > most.requests) most = { requests: times.length, allowed };
      if (times.length > allowed)
        report('storm', `${name}: ${times.length} requests by ${strategy} in a second instead of ${allowed}`);
    },
    get most() {
      return most;
    },
  };
}
