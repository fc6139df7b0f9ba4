import type { Report } from './violations.ts';

/** The end of a request: `left` when nobody waited for it any more. */
export type RequestEnd = 'answered' | 'failed' | 'left';

/** The inputs of the rules: the defaults of the circuit breakers. */
const failuresToOpen = 5;
const maxOpenMs = 60_000;

/** The latest opening of a strategy's circuit breaker. Times in ms. */
interface Opening {
  readonly at: number;
  readonly until: number;
  readonly forMs: number;
}

/** Failures of a strategy on one instance since its last answer. */
interface Failures {
  readonly posts: Set<string>;
  /** When there were enough failures, in ms. */
  enoughAt: number;
}

/** One request to the platform. */
export interface SimulatedRequest {
  readonly strategy: string;
  /** The time limit of the request, in ms. */
  readonly limitMs: number;
  readonly instance: number;
  readonly post: string;
}

/**
 * A strategy that fails for five posts in a row is opened within the time of one more request, if another post is known
 * for a probe. An open breaker lets nothing through while it rests, then one trial at a time; each rest is twice the
 * one before, up to a minute. So an outage causes only a few requests, and then one per rest.
 */
export interface BreakerRules {
  opened(strategy: string, forMs: number): void;
  closed(strategy: string): void;
  /** A request begins. @returns a function to call with its end */
  request(request: SimulatedRequest): (end: RequestEnd) => void;
  readonly openings: number;
  readonly trials: number;
}

/** @param newsMs time after which all instances know of an opening */
export function createBreakerRules(
  name: string,
  newsMs: number,
  now: () => number,
  report: Report,
): BreakerRules {
  const open = new Map<string, Opening>();
  const trials = new Map<string, number>();
  const failures = new Map<string, Failures>();
  /** Instances that have read a post. */
  const known = new Set<number>();
  let openings = 0;
  let count = 0;

  /** Ends the failures in a row of one instance, or of all. */
  function forgetFailures(strategy: string): void {
    for (const key of failures.keys()) if (key.endsWith(` ${strategy}`)) failures.delete(key);
  }

  function checkNoticed({ strategy, limitMs, instance }: SimulatedRequest): void {
    const suspected = failures.get(`${instance} ${strategy}`);
    if (suspected === undefined || now() <= suspected.enoughAt + limitMs + newsMs) return;
    report(
      'notice',
      `${name}: instance ${instance} asks by ${strategy}, which failed for ${suspected.posts.size} posts, ` +
        `${now() - suspected.enoughAt} ms after it should have been looked at`,
    );
  }

  function ended({ strategy, instance, post }: SimulatedRequest, end: RequestEnd): void {
    const key = `${instance} ${strategy}`;
    if (end === 'answered') failures.delete(key);
    if (end !== 'failed') return;
    const failed = failures.get(key) ?? { posts: new Set(), enoughAt: Number.POSITIVE_INFINITY };
    failures.set(key, failed);
    failed.posts.add(post);
    if (failed.posts.size >= failuresToOpen && known.has(instance))
      failed.enoughAt = Math.min(failed.enoughAt, now());
  }

  function checkTrial({ at, until, forMs }: Opening, strategy: string): () => void {
    if (now() < until - newsMs)
      report('rest', `${name}: ${strategy} was asked ${now() - at} ms after it was opened for ${forMs}`);
    const running = (trials.get(strategy) ?? 0) + 1;
    if (running > 1) report('trial', `${name}: ${running} trials of ${strategy} at once`);
    trials.set(strategy, running);
    count += 1;
    return () => void trials.set(strategy, (trials.get(strategy) ?? 0) - 1);
  }

  return {
    opened(strategy, forMs) {
      openings += 1;
      const before = open.get(strategy);
      if (before !== undefined && now() > before.until && forMs < Math.min(2 * before.forMs, maxOpenMs))
        report('rest', `${name}: ${strategy} rests ${forMs} ms behind a failed trial, as before`);
      open.set(strategy, { at: now(), until: now() + forMs, forMs });
      forgetFailures(strategy);
    },
    closed(strategy) {
      open.delete(strategy);
      forgetFailures(strategy);
    },
    request(request) {
      const opening = open.get(request.strategy);
      let endTrial = () => {};
      if (opening === undefined) checkNoticed(request);
      else if (now() > opening.at + newsMs) endTrial = checkTrial(opening, request.strategy);
      return (end) => {
        endTrial();
        ended(request, end);
        if (end === 'answered') known.add(request.instance);
      };
    },
    get openings() {
      return openings;
    },
    get trials() {
      return count;
    },
  };
}
