import type { Report } from './violations.ts';

const windowMs = 1000;
/** Posts that must fail in a row before a way is tried by itself: the default of the circuit breakers. */
const failuresToExamine = 5;

/**
 * Requests to the platform a second. In any second a way is asked at most once for each post that somebody wants, once more where somebody wants it anew, once
 * more for each reading that was given up, once by each instance to see whether it works and again for every five posts
 * that failed, and once as a trial of an open breaker. Where all breakers are open, nothing but trials is left of it.
 */
export interface StormRules {
  /** Somebody wants a post from now on. @returns no more */
  want(post: string): () => void;
  /** For how long nobody has wanted a post, in ms; 0 while somebody does. */
  unwantedMs(post: string): number;
  /** @param givenUp readings that were given up in the last so many ms */
  request(way: string, givenUp: (withinMs: number) => number): void;
  /** Most requests by one way in a second, and what they were allowed to be then. */
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
    request(way, givenUp) {
      const times = requests.get(way) ?? [];
      requests.set(way, times);
      times.push(now());
      while ((times[0] ?? now()) < now() - windowMs) times.shift();
      const posts = [...wanted.values()].filter(
        ({ count, lastAt }) => count > 0 || lastAt >= now() - windowMs,
      ).length;
      const allowed = posts + givenUp(windowMs) + instances + Math.floor(posts / failuresToExamine) + 1;
      if (times.length > most.requests) most = { requests: times.length, allowed };
      if (times.length > allowed)
        report('storm', `${name}: ${times.length} requests by ${way} in a second instead of ${allowed}`);
    },
    get most() {
      return most;
    },
  };
}
