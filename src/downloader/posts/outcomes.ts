import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Failure, failureKeys } from '../../failures/failures.ts';
import type { DistributedSingleFlight } from '../../stores/contracts/distributed-single-flight.ts';
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

/** An answer of the platform's, and for how long it is good, in ms. */
export interface TimedOutcome<T extends object> {
  readonly outcome: Outcome<T>;
  readonly ttlMs: number;
}

/** Answers of the platform that instances have in common. */
export interface SharedOutcomes<T extends object> {
  /**
   * Another instance's answer, present or pending; otherwise calls `ask`.
   * @param ask throws failures that are independent of the question and must not be shared
   */
  run(
    key: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<TimedOutcome<T>>,
  ): Promise<TimedOutcome<T> & { readonly isShared: boolean }>;
  /** Replaces an older answer. */
  put(key: string, outcome: TimedOutcome<T>): Promise<void>;
}

/** Raise it when an older version could not read what is written. */
const format = 2;

/**
 * Shares answers between instances.
 * @param singleFlight null for a single instance
 * @param value schema of an answer, which may come from an instance of another version
 * @param now ms since the epoch
 */
export function shareOutcomes<T extends object>(
  singleFlight: DistributedSingleFlight | null,
  value: z.ZodType<T>,
  now: () => number,
): SharedOutcomes<T> {
  if (singleFlight === null)
    return {
      run: async (_, signal, ask) => ({ ...(await ask(signal)), isShared: false }),
      put: async () => {},
    };
  const schema = z.object({
    until: z.number(),
    answer: z.union([
      z.object({ value }),
      z.object({
        failure: z.object({
          key: z.enum(failureKeys),
          retryAfterS: z.number().optional(),
          link: z.string().optional(),
        }),
      }),
    ]),
  });
  const keyOf = (key: string) => `${format} ${key}`;

  function write({ outcome: answer, ttlMs }: TimedOutcome<T>) {
    const until = now() + ttlMs;
    if ('value' in answer) return JSON.stringify({ until, answer });
    const { key, retryAfterS, link } = answer.failure;
    return JSON.stringify({ until, answer: { failure: { key, retryAfterS, link } } });
  }

  /** Null for what an instance of another version wrote and this one does not understand. */
  function read(text: string): TimedOutcome<T> | null {
    const { data } = schema.safeParse(JSON.parse(text));
    if (data === undefined) return null;
    const { until, answer } = data;
    const ttlMs = until - now();
    if ('value' in answer) return { outcome: { value: answer.value as T }, ttlMs };
    const { key, retryAfterS, link } = answer.failure;
    const details = {
      note: 'the answer of another instance',
      ...(retryAfterS !== undefined && { retryAfterS }),
      ...(link !== undefined && { link }),
    };
    return { outcome: { failure: new Failure(key, details) }, ttlMs };
  }

  const put = (key: string, timed: TimedOutcome<T>) =>
    singleFlight.put(keyOf(key), { text: write(timed), keepMs: timed.ttlMs });

  return {
    async run(key, signal, ask) {
      let own: TimedOutcome<T> | null = null;
      const { text, isShared } = await singleFlight.run(keyOf(key), signal, async (inner) => {
        own = await ask(inner);
        return { text: write(own), keepMs: own.ttlMs };
      });
      const outcome = own ?? read(text);
      if (outcome !== null) return { ...outcome, isShared };
      const asked = await ask(signal);
      await put(key, asked);
      return { ...asked, isShared: false };
    },
    put,
  };
}
