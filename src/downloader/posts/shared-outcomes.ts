import { z } from 'zod';
import { Failure, failureKeys } from '../../failures/failures.ts';
import type { DistributedSingleFlight } from '../../stores/contracts/distributed-single-flight.ts';
import type { Outcome } from './outcome-cache.ts';

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
