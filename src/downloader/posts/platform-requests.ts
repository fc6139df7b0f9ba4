import { asFailure, Failure } from '../../failures/failures.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import { atOnce, type TakeTurn } from '../async/turns.ts';
import { failureTtlMs, type SharedOutcomes, type TimedOutcome } from './outcomes.ts';

/** Bounds how many posts are read at the same time. */
export type ReadingLimit = ReturnType<typeof createReadingLimit>;

interface ReadingLimitOptions {
  /** Maximum number of concurrent readings, however long the platform takes. */
  readonly most?: number;
  /** The maximum when this process is too busy to parse responses: more readings would slow down all of them. */
  readonly mostWhenBusy?: number;
  /** Whether this process has as much to do as it can. */
  readonly isBusy: () => boolean;
}

/** Seconds after which another try makes sense. */
const retryAfterS = 2;

/** Makes a limit. */
export function createReadingLimit({ most = 256, mostWhenBusy = 4, isBusy }: ReadingLimitOptions) {
  let running = 0;
  const isFull = () => running >= most || (running >= mostWhenBusy && isBusy());
  return {
    /** Whether one more would be refused. */
    get isFull(): boolean {
      return isFull();
    },
    /**
     * Counts a post that is being read.
     * @returns a function that ends it
     * @throws Failure `overloaded`
     */
    begin(): () => void {
      if (isFull()) throw new Failure('overloaded', { retryAfterS, note: `${running} posts are being read` });
      running += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        running -= 1;
      };
    },
  };
}

/** A visitor waits no longer than this for an outcome, in ms. */
export const resolveLimitMs = 10_000;

interface SharedRequest<T extends object> {
  readonly shared: SharedOutcomes<T>;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly request: (signal: AbortSignal) => Promise<T>;
  /** Lifetime of an outcome, in ms. */
  readonly ttlOf: (value: T) => number;
  /** Turns of whoever asks first; asked at once without them. */
  readonly turn?: TakeTurn | undefined;
}

const failed = (failure: Failure) => ({ outcome: { failure }, ttlMs: failureTtlMs(failure) });

/**
 * Asks the platform, once for all instances that want to know, within {@link resolveLimitMs}.
 * @throws the signal's reason alone
 */
export async function requestOnce<T extends object>(
  { shared, key, signal, request, ttlOf, turn = atOnce }: SharedRequest<T>,
  limit: Pick<ReadingLimit, 'begin'>,
): Promise<TimedOutcome<T> & { isShared: boolean }> {
  async function requestNow(inner: AbortSignal): Promise<TimedOutcome<T>> {
    const end = limit.begin();
    try {
      const value = await request(inner);
      return { outcome: { value }, ttlMs: ttlOf(value) };
    } catch (thrown) {
      inner.throwIfAborted();
      const failure = asFailure(thrown);
      // A failure that is independent of the post is not shared.
      if (failureTtlMs(failure) === 0) throw failure;
      return failed(failure);
    } finally {
      end();
    }
  }

  try {
    return await withTimeLimit(resolveLimitMs, signal, (limited) =>
      shared.run(key, limited, (inner) => turn(inner, () => requestNow(inner))),
    );
  } catch (thrown) {
    signal.throwIfAborted();
    return { ...failed(asFailure(thrown)), isShared: false };
  }
}
