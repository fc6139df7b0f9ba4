import { createHash } from 'node:crypto';
import { asFailure, type Failure } from '../../../failures/failures.ts';
import type { OutboundProxy } from '../../../process/outbound-proxy.ts';

/** The record of one egress. */
export interface EgressState {
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
export interface EgressSubject {
  /** A post's id or a short link's code. */
  readonly name: string;
  /** The egress that its ticket or its last reading names. */
  readonly egress?: string | undefined;
}

/** Picks the egress of each request to the platform. */
export interface EgressPool {
  /**
   * Requests through the subject's egress, and through another when the platform rejects that one.
   * @param ask gets the egress's id; undefined when there is only one, without a name
   * @throws what the first call of `ask` throws
   */
  use<T>(
    subject: EgressSubject,
    signal: AbortSignal,
    ask: (egress: string | undefined) => Promise<T>,
  ): Promise<T>;
  states(): readonly EgressState[];
}

/** The direct egress of a site without `OUTBOUND_PROXIES`. */
export const directEgress: EgressPool = {
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

interface Egress {
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
export class ProxyEgressPool implements EgressPool {
  readonly #egresses: readonly Egress[];
  readonly #now: () => number;

  /** @param now ms since any moment */
  constructor(proxies: readonly Pick<OutboundProxy, 'id' | 'label'>[], now: () => number) {
    this.#now = now;
    this.#egresses = proxies.map(({ id, label }) => ({
      ...{ id, label, doubts: new Set(), restsSince: 0, restsUntil: 0, restMs: 0 },
      ...{ answered: 0, limited: 0, challenged: 0, failed: 0 },
    }));
  }

  async use<T>(
    subject: EgressSubject,
    signal: AbortSignal,
    ask: (egress: string | undefined) => Promise<T>,
  ): Promise<T> {
    /** Egresses that failed for this request and do not rest for a reason of their own. */
    const doubted: Egress[] = [];
    let last: unknown;
    for (const [tries, egress] of this.#order(subject).entries()) {
      if (tries > 0 && (tries === mostTries || doubted.length === mostDoubted || this.#rests(egress))) break;
      const since = this.#now();
      try {
        const result = await ask(egress.id);
        this.#answered(egress, since, doubted);
        return result;
      } catch (thrown) {
        last = thrown;
        const failure = reasonOf(thrown, signal);
        // A caller that left proves nothing about the egress.
        if (failure === null) throw thrown;
        const verdict = verdictOf(failure);
        if (verdict === 'answered') this.#answered(egress, since, doubted);
        if (verdict === 'answered' || verdict === 'unclear') throw thrown;
        egress[verdict] += 1;
        if (verdict === 'limited') this.#rest(egress, failure.retryAfterS);
        if (!this.#rests(egress)) doubted.push(egress);
        if (signal.aborted) break;
      }
    }
    const [alone] = doubted;
    if (alone !== undefined && doubted.length === 1) this.#doubt(alone, subject.name);
    throw last;
  }

  /** The proxy is unreachable or rejects us. @returns whether this is new: it did not rest */
  unreachable(id: string): boolean {
    const egress = this.#egresses.find((one) => one.id === id);
    if (egress === undefined || this.#rests(egress)) return false;
    this.#rest(egress);
    return true;
  }

  states(): readonly EgressState[] {
    return this.#egresses.map(({ id, label, restsUntil, answered, limited, challenged, failed }) => ({
      ...{ id, label, answered, limited, challenged, failed },
      restsForMs: Math.max(0, restsUntil - this.#now()),
    }));
  }

  /**
   * The subject's own egress first, then the others by rank; resting ones come last, the one that returns soonest
   * first.
   */
  #order({ name, egress: named }: EgressSubject): readonly Egress[] {
    const rank = new Map(
      this.#egresses.map((egress) => [egress, egress.id === named ? '' : digest(name, egress.id)]),
    );
    return this.#egresses.toSorted((one, other) => {
      const later = this.#restLeft(one) - this.#restLeft(other);
      return later !== 0 ? later : (rank.get(one) ?? '') < (rank.get(other) ?? '') ? -1 : 1;
    });
  }

  #restLeft({ restsUntil }: Egress): number {
    return Math.max(0, restsUntil - this.#now());
  }

  #rests(egress: Egress): boolean {
    return this.#restLeft(egress) > 0;
  }

  /** @param doubted egresses that failed for the same request a moment ago */
  #answered(egress: Egress, since: number, doubted: readonly Egress[]): void {
    egress.answered += 1;
    // An answer to a question from before the rest began is older news.
    if (since >= egress.restsSince) {
      egress.doubts.clear();
      egress.restsUntil = 0;
      egress.restMs = 0;
    }
    for (const other of doubted) this.#rest(other);
  }

  #doubt(egress: Egress, subject: string): void {
    egress.doubts.add(subject);
    const isOnTrial = egress.restMs > 0;
    if (isOnTrial || egress.doubts.size >= doubtsToRest) this.#rest(egress);
  }

  /** Failures of a resting egress have no effect. */
  #rest(egress: Egress, retryAfterS = 0): void {
    if (this.#rests(egress)) return;
    const now = this.#now();
    egress.restMs = Math.min(maxRestMs, Math.max(firstRestMs, egress.restMs * 2, retryAfterS * 1000));
    egress.restsSince = now;
    egress.restsUntil = now + egress.restMs;
    egress.doubts.clear();
  }
}

function digest(subject: string, egress: string): string {
  return createHash('sha256').update(`${egress} ${subject}`).digest('base64');
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
  return /^(?:platform_changed|post_unreadable|media_host_unknown|internal)$/.test(key)
    ? 'unclear'
    : 'answered';
}
