import { createHash } from 'node:crypto';
import { asFailure, type Failure } from '../../../failures/failures.ts';
import type { OutboundProxy } from './outbound-proxy.ts';

/** The record of one egress. */
export interface WayState {
  readonly id: string;
  /** The proxy without credentials. */
  readonly label: string;
  /** How long it still rests, in ms: others are preferred meanwhile; 0 when it does not rest. */
  readonly restsForMs: number;
  /** Readings since the start that the platform answered, and those that it challenged, limited, or that got no answer. */
  readonly answered: number;
  readonly limited: number;
  readonly challenged: number;
  readonly failed: number;
}

/** The subject of requests, all of which should use one egress. */
export interface WaySubject {
  /** A post's id or a short link's code. */
  readonly name: string;
  /** The egress that its ticket or its last reading names. */
  readonly way?: string | undefined;
}

/** Picks the egress of each request to the platform. */
export interface Ways {
  /**
   * Requests through the subject's egress, and through another when the platform rejects that one.
   * @param ask gets the egress's id; undefined when there is only one, without a name
   * @throws what the first call of `ask` throws
   */
  use<T>(subject: WaySubject, signal: AbortSignal, ask: (way: string | undefined) => Promise<T>): Promise<T>;
  states(): readonly WayState[];
}

/** The direct egress of a site without `OUTBOUND_PROXIES`. */
export const onlyWay: Ways = {
  use: (_subject, _signal, ask) => ask(undefined),
  states: () => [],
};

const firstRestMs = 60_000;
const maxRestMs = 1_800_000;
/** Consecutive subjects that failed through one egress without another to compare it with, until it rests. */
const doubtsToRest = 3;
/** Ways that one question may take, and those of them that gave no reason to rest. */
const mostTries = 4;
const mostDoubted = 2;

interface Way {
  readonly id: string;
  readonly label: string;
  /** Subjects since the last answer whose failure may be their own or the egress's. */
  readonly doubts: Set<string>;
  restsSince: number;
  restsUntil: number;
  /** Duration of the latest rest; 0 after an answer. */
  restMs: number;
  answered: number;
  limited: number;
  challenged: number;
  failed: number;
}

type Verdict = 'answered' | 'limited' | 'challenged' | 'failed' | 'unclear';

/**
 * Several proxies. All requests of a subject use one egress, the same on every instance (rendezvous hashing): the
 * platform binds its answers to it. An egress rests, longer each time, when the platform limits it, when its proxy
 * cannot be used, or when another egress gets an answer that it did not get. Visitors choose the posts, so a post that
 * fails through every egress counts against none. A resting egress is only less preferred: when all rest, the one whose
 * rest ends soonest is used.
 */
export class OutboundWays implements Ways {
  readonly #ways: readonly Way[];
  readonly #now: () => number;

  /** @param now ms since any moment */
  constructor(proxies: readonly Pick<OutboundProxy, 'id' | 'label'>[], now: () => number) {
    this.#now = now;
    this.#ways = proxies.map(({ id, label }) => ({
      ...{ id, label, doubts: new Set(), restsSince: 0, restsUntil: 0, restMs: 0 },
      ...{ answered: 0, limited: 0, challenged: 0, failed: 0 },
    }));
  }

  async use<T>(
    subject: WaySubject,
    signal: AbortSignal,
    ask: (way: string | undefined) => Promise<T>,
  ): Promise<T> {
    /** Egresses that failed for this request and do not rest for a reason of their own. */
    const doubted: Way[] = [];
    let last: unknown;
    for (const [tries, way] of this.#order(subject).entries()) {
      if (tries > 0 && (tries === mostTries || doubted.length === mostDoubted || this.#rests(way))) break;
      const since = this.#now();
      try {
        const answer = await ask(way.id);
        this.#answered(way, since, doubted);
        return answer;
      } catch (thrown) {
        last = thrown;
        const failure = reasonOf(thrown, signal);
        // A caller that left proves nothing about the egress.
        if (failure === null) throw thrown;
        const verdict = verdictOf(failure);
        if (verdict === 'answered') this.#answered(way, since, doubted);
        if (verdict === 'answered' || verdict === 'unclear') throw thrown;
        way[verdict] += 1;
        if (verdict === 'limited') this.#rest(way, failure.retryAfterS);
        if (!this.#rests(way)) doubted.push(way);
        if (signal.aborted) break;
      }
    }
    const [alone] = doubted;
    if (alone !== undefined && doubted.length === 1) this.#doubt(alone, subject.name);
    throw last;
  }

  /** The proxy is unreachable or rejects us. @returns whether this is new: it did not rest */
  unreachable(id: string): boolean {
    const way = this.#ways.find((one) => one.id === id);
    if (way === undefined || this.#rests(way)) return false;
    this.#rest(way);
    return true;
  }

  states(): readonly WayState[] {
    return this.#ways.map(({ id, label, restsUntil, answered, limited, challenged, failed }) => ({
      ...{ id, label, answered, limited, challenged, failed },
      restsForMs: Math.max(0, restsUntil - this.#now()),
    }));
  }

  /**
   * The subject's own egress first, then the others by rank; resting ones come last, the one that returns soonest
   * first.
   */
  #order({ name, way: named }: WaySubject): readonly Way[] {
    const rank = new Map(this.#ways.map((way) => [way, way.id === named ? '' : digest(name, way.id)]));
    return this.#ways.toSorted((one, other) => {
      const later = this.#restLeft(one) - this.#restLeft(other);
      return later !== 0 ? later : (rank.get(one) ?? '') < (rank.get(other) ?? '') ? -1 : 1;
    });
  }

  #restLeft({ restsUntil }: Way): number {
    return Math.max(0, restsUntil - this.#now());
  }

  #rests(way: Way): boolean {
    return this.#restLeft(way) > 0;
  }

  /** @param doubted egresses that failed for the same request a moment ago */
  #answered(way: Way, since: number, doubted: readonly Way[]): void {
    way.answered += 1;
    // An answer to a question from before the rest began is older news.
    if (since >= way.restsSince) {
      way.doubts.clear();
      way.restsUntil = 0;
      way.restMs = 0;
    }
    for (const other of doubted) this.#rest(other);
  }

  #doubt(way: Way, subject: string): void {
    way.doubts.add(subject);
    const isOnTrial = way.restMs > 0;
    if (isOnTrial || way.doubts.size >= doubtsToRest) this.#rest(way);
  }

  /** Failures of a resting egress have no effect. */
  #rest(way: Way, retryAfterS = 0): void {
    if (this.#rests(way)) return;
    const now = this.#now();
    way.restMs = Math.min(maxRestMs, Math.max(firstRestMs, way.restMs * 2, retryAfterS * 1000));
    way.restsSince = now;
    way.restsUntil = now + way.restMs;
    way.doubts.clear();
  }
}

function digest(subject: string, way: string): string {
  return createHash('sha256').update(`${way} ${subject}`).digest('base64');
}

/** Why a request failed; null when the caller has left. */
function reasonOf(thrown: unknown, signal: AbortSignal): Failure | null {
  if (!signal.aborted) return asFailure(thrown);
  const reason = asFailure(signal.reason);
  return reason.key === 'platform_timeout' ? reason : null;
}

function verdictOf({ key }: Failure): Verdict {
  if (key === 'platform_throttled') return 'limited';
  if (key === 'platform_blocked') return 'challenged';
  if (key === 'platform_timeout' || key === 'platform_failed') return 'failed';
  // A refusal concerns the post; an unexpected shape or an error of ours concerns neither.
  return key === 'platform_changed' || key === 'post_unreadable' || key === 'internal'
    ? 'unclear'
    : 'answered';
}
