import { type Report, roundingMs } from './violations.ts';

/** A pending question. */
interface Asked {
  /** The question was answered, by a result or a failure. */
  answered(): void;
}

/** Every caller has an answer in time, and a caller who leaves is released at once. */
export interface Answers {
  /**
   * @param limitMs the longest permitted time; null when another rule limits it
   * @param signal aborts when the caller leaves
   */
  ask(what: string, limitMs: number | null, signal: AbortSignal): Asked;
  /** Called at the end, when nothing runs any more. */
  end(): void;
  /** The longest time that a limited question took, in ms. */
  readonly longestMs: number;
  readonly count: number;
}

export function createAnswers(now: () => number, report: Report): Answers {
  const open = new Set<string>();
  let longestMs = 0;
  let count = 0;
  return {
    ask(what, limitMs, signal) {
      const name = `${what} (question ${count})`;
      const since = now();
      let leftAt = Number.POSITIVE_INFINITY;
      const leave = () => {
        leftAt = now();
      };
      signal.addEventListener('abort', leave, { once: true });
      count += 1;
      open.add(name);
      return {
        answered() {
          open.delete(name);
          signal.removeEventListener('abort', leave);
          const tookMs = now() - since;
          if (now() > leftAt + roundingMs)
            report('let go', `${name} was let go ${now() - leftAt} ms after leaving`);
          if (limitMs === null) return;
          longestMs = Math.max(longestMs, tookMs);
          if (tookMs > limitMs + roundingMs)
            report('in time', `${name} took ${tookMs} ms instead of at most ${limitMs}`);
        },
      };
    },
    end() {
      for (const name of open) report('answered', `${name} was never answered`);
    },
    get longestMs() {
      return longestMs;
    },
    get count() {
      return count;
    },
  };
}
