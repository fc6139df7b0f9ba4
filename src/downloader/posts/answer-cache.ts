import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../extractors/extractor.ts';
import type { Failure } from '../failures.ts';

export type Answer<T extends object> = { readonly value: T } | { readonly failure: Failure };

/** Milliseconds that a refusal about the post is believed. */
const refusalTtlMs = 30_000;
/** Milliseconds that our own trouble with the platform is shared with the next askers. */
const troubleTtlMs = 3_000;

/** Answers for a while, bounded in number; refusals shorter than posts, and the platform's trouble only for moments. */
export class AnswerCache<T extends object> {
  readonly #entries: LRUCache<string, Answer<T>>;

  constructor(max: number, clock: MonotonicClock) {
    this.#entries = new LRUCache({ max, ttl: 1, ttlResolution: 0, perf: { now: clock } });
  }

  get(key: string): Answer<T> | undefined {
    return this.#entries.get(key);
  }

  keep(key: string, value: T, ttlMs: number): void {
    if (ttlMs >= 1) this.#entries.set(key, { value }, { ttl: Math.floor(ttlMs) });
    else this.#entries.delete(key);
  }

  keepFailure(key: string, failure: Failure): void {
    if (failure.key === 'internal') return;
    const isTrouble = failure.key.startsWith('platform_');
    // A reading that went wrong does not make the earlier answer untrue.
    const known = this.#entries.get(key);
    if (isTrouble && known !== undefined && 'value' in known) return;
    const ttl = isTrouble ? troubleTtlMs : refusalTtlMs;
    this.#entries.set(key, { failure }, { ttl });
  }
}

/** @throws Failure */
export function unwrap<T extends object>(answer: Answer<T>): T {
  if ('value' in answer) return answer.value;
  throw answer.failure;
}
