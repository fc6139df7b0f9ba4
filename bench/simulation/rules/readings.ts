import { failureTtlMs } from '../../../src/downloader/posts/answer-cache.ts';
import type { Failure } from '../../../src/failures/failures.ts';
import { type Report, roundingMs } from './violations.ts';

/** A post that was read is known for five minutes. */
const postKeptMs = 300_000;

interface Reading {
  readonly signal: AbortSignal;
  /** When the post may be read again, in ms; infinite while it is being read. */
  againAt: number;
}

/**
 * Connected instances read a post once for all that want it, not again while the answer is good, and not to its end when
 * all of them have left.
 */
export interface ReadingRules {
  /**
   * A reading begins.
   * @param signal aborted when nobody waits for it any more, or its time is over: its answer is then nobody's
   * @returns told of its answer
   */
  begin(post: string, signal: AbortSignal): (answer: Failure | null) => void;
  readonly count: number;
  /** Readings that were given up in the last so many ms. */
  givenUp(withinMs: number): number;
}

/** @param unwantedMs for how long nobody has wanted a post, in ms; 0 while somebody does */
export function createReadingRules(
  name: string,
  unwantedMs: (post: string) => number,
  now: () => number,
  report: Report,
): ReadingRules {
  const latest = new Map<string, Reading>();
  const givenUpAt: number[] = [];
  let count = 0;
  return {
    begin(post, signal) {
      count += 1;
      const before = latest.get(post);
      if (before !== undefined && !before.signal.aborted && now() < before.againAt - roundingMs)
        report(
          'once',
          before.againAt === Number.POSITIVE_INFINITY
            ? `${name}: ${post} is read twice at once`
            : `${name}: ${post} is read ${before.againAt - now()} ms too early again`,
        );
      const reading: Reading = { signal, againAt: Number.POSITIVE_INFINITY };
      latest.set(post, reading);
      signal.addEventListener('abort', () => givenUpAt.push(now()), { once: true });
      return (answer) => {
        const forNobodyMs = unwantedMs(post);
        if (forNobodyMs > roundingMs && !signal.aborted)
          report('for nobody', `${name}: ${post} was read ${forNobodyMs} ms longer than anybody wanted it`);
        reading.againAt = now() + (answer === null ? postKeptMs : failureTtlMs(answer));
      };
    },
    get count() {
      return count;
    },
    givenUp: (withinMs) => givenUpAt.filter((at) => at >= now() - withinMs).length,
  };
}
