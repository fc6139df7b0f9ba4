import { Failure } from '../../failures/failures.ts';
import type { Conversion } from './conversion.ts';
import type { ConversionRunner } from './conversion-runner.ts';
import { FairQueue } from './fair-queue.ts';

/** Events that a queue reports to its owner. */
export interface QueueEvents {
  /** A conversion has left the queue for good. @param failure null when its file is made */
  ended(conversion: Conversion, failure: Failure | null): void;
  /** The places of those that wait may have changed. */
  moved(): void;
}

/** Runs conversions, on this instance or another. */
export interface ConversionQueue {
  /** Lets a visitor wait for a conversion. @throws Failure `queue_full`, with the time after which to try again */
  add(conversion: Conversion, visitor: string): void;
  /** The visitor waits for it no more. */
  leave(conversion: Conversion, visitor: string): void;
  /** Conversions ahead of this one; null when it does not wait here. */
  ahead(conversion: Conversion): number | null;
  /**
   * Resolves when no conversion runs.
   * @param stop called for each running conversion once `grace` aborts, or at once without it
   */
  drain(stop: (conversion: Conversion) => void, grace?: AbortSignal): Promise<void>;
}

export interface LocalQueueOptions extends QueueEvents {
  readonly runner: ConversionRunner;
  /** Conversions that run at once: the number of cores. */
  readonly parallel: number;
  /** How many slideshows may run at once; each takes seconds of CPU and much memory. Default 1. */
  readonly slideshowsAtOnce?: number;
  /** Conversions that wait, of all visitors and of one. */
  readonly maxWaiting?: number;
  readonly maxWaitingOfVisitor?: number;
  /** Whether an overloaded queue may trade quality for speed: the same work then gives other bytes. */
  readonly mayHurry?: boolean;
  /** Called after every change with the number of waiting conversions. */
  readonly waiting: (count: number) => void;
}

/** Estimated duration of a conversion before the first was measured, in seconds. */
const assumedSeconds = 2;
/** Weight of the newest measurement in the mean. */
const meanWeight = 0.2;
const maxRetryAfterS = 300;
/** Waiting conversions for each parallel slot from which on speed is preferred to quality. */
const overloadedFrom = 8;

const isSlideshow = ({ work }: Conversion) => work.kind === 'slideshow';

/** Runs conversions on this machine, from a bounded fair queue that knows how long they take. */
export function createLocalQueue(options: LocalQueueOptions): ConversionQueue {
  const { runner, parallel, slideshowsAtOnce = 1, mayHurry = true, ended, moved } = options;
  const running = new Map<Conversion, Promise<void>>();
  let meanSeconds = assumedSeconds;

  async function run(conversion: Conversion, visitor: string): Promise<void> {
    const fast = mayHurry && queue.waiting >= overloadedFrom * parallel;
    const { failure, seconds } = await runner.run(conversion, visitor, fast);
    if (failure === null) meanSeconds += meanWeight * (seconds - meanSeconds);
    ended(conversion, failure);
  }

  const queue = new FairQueue<Conversion>({
    parallel,
    maxWaiting: options.maxWaiting ?? 200,
    maxWaitingOfVisitor: options.maxWaitingOfVisitor ?? 10,
    mayStart: ({ work }, others) =>
      work.kind !== 'slideshow' || others.filter(isSlideshow).toArray().length < slideshowsAtOnce,
    start(conversion, done, visitor) {
      const over = run(conversion, visitor).finally(() => {
        running.delete(conversion);
        done();
      });
      running.set(conversion, over);
    },
    changed() {
      options.waiting(queue.waiting);
      moved();
    },
  });

  return {
    add(conversion, visitor) {
      if (queue.add(conversion, visitor)) return;
      const seconds = Math.ceil(((queue.waiting + queue.running) / parallel) * meanSeconds);
      throw new Failure('queue_full', { retryAfterS: Math.min(maxRetryAfterS, Math.max(1, seconds)) });
    },
    leave: (conversion, visitor) => queue.leave(conversion, visitor),
    ahead: (conversion) => queue.ahead(conversion),
    drain: (stop, grace) => drain(running, stop, grace),
  };
}

/** Waits for everything that runs: see {@link ConversionQueue.drain}. */
export async function drain(
  running: ReadonlyMap<Conversion, Promise<void>>,
  stop: (conversion: Conversion) => void,
  grace?: AbortSignal,
): Promise<void> {
  const stopAll = () => {
    for (const conversion of running.keys()) stop(conversion);
  };
  grace?.addEventListener('abort', stopAll, { once: true });
  while (running.size > 0) {
    if (grace === undefined || grace.aborted) stopAll();
    await Promise.all(running.values());
  }
  grace?.removeEventListener('abort', stopAll);
}
