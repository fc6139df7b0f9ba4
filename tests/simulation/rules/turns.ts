import { type Report, roundingMs } from './violations.ts';

/** A visitor who waits for a conversion. */
interface Waiting {
  readonly visitor: string;
  readonly key: string;
  readonly since: number;
  /** Conversions that ran when the visitor came. */
  readonly running: number;
  /** Visitors who waited before or came in the same moment; null when this one also waits for own conversions. */
  before: Set<string> | null;
  /** The visitor's own conversions, including this one. */
  own: number;
  /** Conversions that were started since. */
  started: number;
}

/** The end of one conversion, and the time waited. */
interface Waited extends Waiting {
  readonly waitedMs: number;
}

/**
 * The order of conversions on one instance: round-robin. Until a visitor's first one starts, each visitor who waited
 * before gets at most one, and later ones none; no place is idle meanwhile, so that with p places it takes at most
 * (running + started) * longest / p.
 */
export interface Turns {
  /** A visitor requests the file of a key. @returns a function to call when the visitor has an answer, or has left */
  ask(visitor: string, key: string): () => void;
  started(key: string): void;
  ended(key: string): void;
  /** At the end, when the longest conversion is known. */
  end(): void;
  /** The longest wait for a start, in ms. */
  readonly longestMs: number;
  readonly count: number;
}

/** @param parallel conversions at once */
export function createTurns(name: string, parallel: number, now: () => number, report: Report): Turns {
  const waiting = new Set<Waiting>();
  /** The running conversions by key: their start, and the visitors to whom they may belong. */
  const running = new Map<string, { readonly since: number; readonly visitors: ReadonlySet<string> }>();
  const waited: Waited[] = [];
  let longestRunMs = 0;
  let mostVisitors = 0;
  let count = 0;

  function settle(one: Waiting): void {
    if (waiting.delete(one)) waited.push({ ...one, waitedMs: now() - one.since });
  }

  return {
    ask(visitor, key) {
      const others = new Set([...waiting].map((one) => one.visitor));
      const ownWaiting = [...waiting].filter((one) => one.visitor === visitor);
      const ownRunning = [...running.values()].filter(({ visitors }) => visitors.has(visitor)).length;
      others.delete(visitor);
      const own = ownWaiting.length + ownRunning + 1;
      // Among simultaneous requests, one that others wait for already may come first.
      for (const other of waiting) {
        if (other.since !== now()) continue;
        if (other.visitor === visitor) {
          other.before = null;
          other.own = own;
        } else {
          other.before?.add(visitor);
        }
      }
      const one: Waiting = {
        visitor,
        key,
        since: now(),
        running: running.size,
        // A running conversion may be joined, or may have been abandoned and must be repeated.
        before: own === 1 && !running.has(key) ? others : null,
        own,
        started: 0,
      };
      waiting.add(one);
      mostVisitors = Math.max(mostVisitors, others.size + 1);
      return () => settle(one);
    },

    started(key) {
      count += 1;
      const visitors = new Set<string>();
      for (const one of waiting) {
        if (one.key === key) {
          visitors.add(one.visitor);
          settle(one);
        } else {
          one.started += 1;
          if (one.before !== null && one.started > one.before.size)
            report(
              'turns',
              `${name}: ${one.started} conversions began before that of ${one.visitor}, who came behind ${one.before.size}`,
            );
        }
      }
      running.set(key, { since: now(), visitors });
      if (running.size > parallel) report('places', `${name}: ${running.size} conversions at once`);
    },

    ended(key) {
      const one = running.get(key);
      if (one !== undefined) longestRunMs = Math.max(longestRunMs, now() - one.since);
      running.delete(key);
    },

    end() {
      for (const key of running.keys()) report('ended', `${name}: the conversion ${key} never ended`);
      for (const { visitor, waitedMs, before, own, started, running: ran } of waited) {
        const turnMs = (count: number) => (count * longestRunMs) / parallel;
        const mostMs =
          before === null ? own * (turnMs(parallel + mostVisitors) + longestRunMs) : turnMs(ran + started);
        if (waitedMs > mostMs + roundingMs)
          report('turn in time', `${name}: ${visitor} waited ${waitedMs} ms for a turn instead of ${mostMs}`);
      }
    },

    get longestMs() {
      return Math.max(0, ...waited.map(({ waitedMs }) => waitedMs));
    },
    get count() {
      return count;
    },
  };
}
