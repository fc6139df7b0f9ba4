import { asFailure, type Failure } from '../../failures/failures.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import { atOnce, type TakeTurn } from '../async/turns.ts';
import { failureTtlMs } from './answer-cache.ts';
import type { ReadingLimit } from './reading-limit.ts';
import type { SharedAnswers, TimedAnswer } from './shared-answers.ts';

/** A visitor waits no longer than this for an answer, in ms. */
export const resolveLimitMs = 10_000;

interface Question<T extends object> {
  readonly shared: SharedAnswers<T>;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly ask: (signal: AbortSignal) => Promise<T>;
  /** For how long an answer is good, in ms. */
  readonly ttlOf: (value: T) => number;
  /** Turns of whoever asks first; asked at once without them. */
  readonly turn?: TakeTurn | undefined;
}

const told = (failure: Failure) => ({ answer: { failure }, ttlMs: failureTtlMs(failure) });

/**
 * Asks the platform, once for all instances that want to know, within {@link resolveLimitMs}.
 * @throws the signal's reason alone
 */
export async function askOnce<T extends object>(
  { shared, key, signal, ask, ttlOf, turn = atOnce }: Question<T>,
  limit: Pick<ReadingLimit, 'begin'>,
): Promise<TimedAnswer<T> & { isShared: boolean }> {
  async function answer(inner: AbortSignal): Promise<TimedAnswer<T>> {
    const end = limit.begin();
    try {
      const value = await ask(inner);
      return { answer: { value }, ttlMs: ttlOf(value) };
    } catch (thrown) {
      inner.throwIfAborted();
      const failure = asFailure(thrown);
      // A failure that is independent of the post is not shared.
      if (failureTtlMs(failure) === 0) throw failure;
      return told(failure);
    } finally {
      end();
    }
  }

  try {
    return await withTimeLimit(resolveLimitMs, signal, (limited) =>
      shared.run(key, limited, (inner) => turn(inner, () => answer(inner))),
    );
  } catch (thrown) {
    signal.throwIfAborted();
    return { ...told(asFailure(thrown)), isShared: false };
  }
}
