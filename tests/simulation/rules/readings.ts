import { failureTtlMs } from '../../../src/downloader/posts/outcomes.ts';
import type { Failure } from '../../../src/failures/failures.ts';
import { type Report, roundingMs } from './violations.ts';

/** A post that was read is known for five minutes. */
const postKeptMs = 300_000;

/** How long a post that was read again because of expired addresses is not read again for that reason, in ms. */
const refreshSharedMs = 3000;

interface Reading {
  readonly signal: AbortSignal;
  /** When the post may be read again, in ms; infinite while it is being read. */
  againAt: number;
}

/**
 * Connected instances read a post once for all of them, not again while the answer is valid, and stop when all of them
 * have left.
 */
export interface ReadingRules {
  /**
   * A reading begins.
   * @param signal aborts when nobody waits for it any more, or its time is over: its answer is then discarded
   * @returns a function to call with its answer
   */
  begin(post: string, signal: AbortSignal): (answer: Failure | null) => void;
  /** A known post is requested afresh. @returns a function that ends it */
  wantFresh(post: string): () => void;
  readonly count: number;
  /** Readings that were given up in the last so many ms. */
  givenUp(withinMs: number): number;
}

/** @param unwantedMs how long nobody has wanted a post, in ms; 0 while somebody does */
export function createReadingRules(
  name: string,
  unwantedMs: (post: string) => number,
  now: () => number,
  report: Report,
): ReadingRules {
  /** Readings of unknown posts, and of known ones with expired addresses. */
  const latest = { first: new Map<string, Reading>(), fresh: new Map<string, Reading>() };
  const wantedFresh = new Map<string, number>();
  const givenUpAt: number[] = [];
  let count = 0;
  const isDue = (before: Reading | undefined) =>
    before === undefined || before.signal.aborted || now() >= before.againAt - roundingMs;

  return {
    wantFresh(post) {
      wantedFresh.set(post, (wantedFresh.get(post) ?? 0) + 1);
      return () => void wantedFresh.set(post, (wantedFresh.get(post) ?? 0) - 1);
    },
    begin(post, signal) {
      count += 1;
      const isFirst = isDue(latest.first.get(post)) || (wantedFresh.get(post) ?? 0) === 0;
      const kind = isFirst ? 'first' : 'fresh';
      const before = latest[kind].get(post);
      if (before !== undefined && !isDue(before))
        report(
          'once',
          before.againAt === Number.POSITIVE_INFINITY
            ? `${name}: ${post} is read twice at once (${kind})`
            : `${name}: ${post} is read ${before.againAt - now()} ms too early again (${kind})`,
        );
      const reading: Reading = { signal, againAt: Number.POSITIVE_INFINITY };
      latest[kind].set(post, reading);
      signal.addEventListener('abort', () => givenUpAt.push(now()), { once: true });
      return (answer) => {
        const forNobodyMs = unwantedMs(post);
        if (forNobodyMs > roundingMs && !signal.aborted)
          report('for nobody', `${name}: ${post} was read ${forNobodyMs} ms longer than anybody wanted it`);
        const keptMs = answer === null ? postKeptMs : failureTtlMs(answer);
        reading.againAt = now() + (kind === 'fresh' && answer === null ? refreshSharedMs : keptMs);
        // A new reading replaces the known one; an error of the platform does not.
        const first = latest.first.get(post);
        if (kind === 'fresh' && first !== undefined && !signal.aborted)
          if (answer === null || !answer.key.startsWith('platform_')) first.againAt = now() + keptMs;
      };
    },
    get count() {
      return count;
    },
    givenUp: (withinMs) => givenUpAt.filter((at) => at >= now() - withinMs).length,
  };
}
