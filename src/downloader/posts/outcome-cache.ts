import { LRUCache } from 'lru-cache';
import type { Failure } from '../../failures/failures.ts';
import { isPlatformError } from '../extractors/probed-breaker.ts';

export type Outcome<T extends object> = { readonly value: T } | { readonly failure: Failure };

/** Milliseconds that a refusal about the post is believed. */
const refusalTtlMs = 30_000;
/** Milliseconds that an error of the platform's is shared with the next callers. */
const platformErrorTtlMs = 3_000;

/** How long a failure may be cached as an answer, in ms; 0 for one that is independent of the question. */
export function failureTtlMs(failure: Failure): number {
  const { key } = failure;
  if (key === 'internal' || key === 'overloaded') return 0;
  return isPlatformError(failure) ? platformErrorTtlMs : refusalTtlMs;
}

/** Answers for a while, bounded in number; refusals shorter than posts, and the platform's errors only for moments. */
export class OutcomeCache<T extends object> {
  readonly #entries: LRUCache<string, Outcome<T>>;

  constructor(max: number, now: () => number) {
    this.#entries = new LRUCache({ max, ttl: 1, ttlResolution: 0, perf: { now } });
  }

  get(key: string): Outcome<T> | undefined {
    return this.#entries.get(key);
  }

  keep(key: string, value: T, ttlMs: number): void {
    if (ttlMs >= 1) this.#entries.set(key, { value }, { ttl: Math.floor(ttlMs) });
    else this.#entries.delete(key);
  }

  keepFailure(key: string, failure: Failure): void {
    const ttl = failureTtlMs(failure);
    if (ttl === 0) return;
    // A reading that went wrong does not make the earlier answer untrue.
    const known = this.#entries.get(key);
    if (isPlatformError(failure) && known !== undefined && 'value' in known) return;
    this.#entries.set(key, { failure }, { ttl });
  }
}

/** @throws Failure */
export function unwrap<T extends object>(outcome: Outcome<T>): T {
  if ('value' in outcome) return outcome.value;
  throw outcome.failure;
}
