import { Failure } from '../../failures/failures.ts';
import type { Conversion } from './conversion.ts';
import { createFairQueue } from './fair-queue.ts';

export interface ConversionQueueOptions {
  /** Conversions that run at once: the number of cores. */
  readonly parallel: number;
  /** Conversions that wait, of all visitors and of one. */
  readonly maxWaiting: number;
  readonly maxWaitingOfVisitor: number;
  /** Whether quality may give way to speed under overload: the same work has other bytes then. */
  readonly mayHurry: boolean;
  /**
   * Never rejects.
   * @param visitor on whose account
   * @param fast under overload: quality may give way to speed
   * @returns how long it took, in seconds; null when there is no file
   */
  readonly run: (conversion: Conversion, visitor: string, fast: boolean) => Promise<number | null>;
  /** Called after every change of what waits or runs. */
  readonly changed: (waiting: number, running: number) => void;
}

/** The conversions that wait for their turn here, and those that have it. */
export interface ConversionQueue {
  /** Lets a visitor wait for a conversion. @throws Failure `queue_full`, with the time after which to try again */
  add(conversion: Conversion, visitor: string): void;
  /** The visitor waits for it no more. */
  leave(conversion: Conversion, visitor: string): void;
  /** Conversions before this one; null when it does not wait. */
  ahead(conversion: Conversion): number | null;
  /** Resolves when nothing runs any more. @param stop called for each that runs once `grace` is aborted, or at once */
  drain(stop: (conversion: Conversion) => void, grace?: AbortSignal): Promise<void>;
}

/** What we assume of a conversion before the first was measured, in seconds. */
const assumedSeconds = 2;
/** Weight of the newest measurement in the mean. */
const meanWeight = 0.2;
const maxRetryAfterS = 300;
/** For each place, how many conversions wait when speed becomes worth more than quality. */
const overloadedFrom = 8;

/** A bounded fair queue that knows how long conversions take. */
export function createConversionQueue(options: ConversionQueueOptions): ConversionQueue {
  const { parallel, mayHurry, run } = options;
  const running = new Map<Conversion, Promise<void>>();
  let meanSeconds = assumedSeconds;

  async function runTimed(conversion: Conversion, visitor: string): Promise<void> {
    const fast = mayHurry && queue.waiting >= overloadedFrom * parallel;
    const seconds = await run(conversion, visitor, fast);
    if (seconds !== null) meanSeconds += meanWeight * (seconds - meanSeconds);
  }

  const queue = createFairQueue<Conversion>({
    ...options,
    start(conversion, done, visitor) {
      const ended = runTimed(conversion, visitor).finally(() => {
        running.delete(conversion);
        done();
      });
      running.set(conversion, ended);
    },
    changed: () => options.changed(queue.waiting, queue.running),
  });

  return {
    add(conversion, visitor) {
      if (queue.add(conversion, visitor)) return;
      const seconds = Math.ceil(((queue.waiting + queue.running) / parallel) * meanSeconds);
      throw new Failure('queue_full', { retryAfterS: Math.min(maxRetryAfterS, Math.max(1, seconds)) });
    },
    leave: (conversion, visitor) => queue.leave(conversion, visitor),
    ahead: (conversion) => queue.ahead(conversion),

    async drain(stop, grace) {
      const stopAll = () => {
        for (const conversion of running.keys()) stop(conversion);
      };
      if (grace === undefined || grace.aborted) stopAll();
      else grace.addEventListener('abort', stopAll, { once: true });
      while (running.size > 0) await Promise.all(running.values());
      grace?.removeEventListener('abort', stopAll);
    },
  };
}
