import type { KeptFile, KeptFiles } from '../../stores/contracts/kept-files.ts';
import { type GrowingFile, startGrowingFile } from '../expiring-files/growing-file.ts';
import { createMemoryBudget } from '../expiring-files/memory-budget.ts';
import { asFailure, Failure } from '../failures.ts';
import type { ConversionStatus, Conversions, ConversionWork, ConvertedFile } from './contracts.ts';
import {
  type Conversion,
  createConversion,
  isMade,
  isWantedBy,
  type Seat,
  statusOf,
  takeSeat,
} from './conversion.ts';
import { viewGrowingFile, viewKeptFile } from './converted-file.ts';
import { createFairQueue } from './fair-queue.ts';
import { createOutcomes } from './outcomes.ts';
import { etagOf, fileKey, type SoundMaker } from './source.ts';
import { createStatusWatch } from './status-watch.ts';

/** Told what happens, for metrics and the log. */
export interface ConversionObserver {
  /** A visitor got a file: of a conversion of its own, of one that ran already, or one that was kept. */
  asked(how: 'started' | 'joined' | 'kept'): void;
  queue(waiting: number, running: number): void;
  /** @param end `seconds` from the start of the work, waiting not included; `kept` whether a later asker finds it */
  ended(end: {
    readonly work: ConversionWork;
    readonly outcome: 'done' | 'failed' | 'cancelled';
    readonly seconds: number;
    readonly failure: Failure | null;
    readonly kept: boolean;
  }): void;
  /** Something went wrong that no asker is told of, such as a file that could not be closed. */
  trouble(error: unknown): void;
}

export interface ConversionsOptions {
  readonly maker: SoundMaker;
  readonly keptFiles: KeptFiles;
  /** Conversions that run at once: the number of cores. */
  readonly parallel: number;
  /** ms since the epoch */
  readonly now: () => number;
  readonly observer: ConversionObserver;
  /** Conversions that wait, of all visitors and of one. */
  readonly maxWaiting?: number;
  readonly maxWaitingOfVisitor?: number;
  /** Bytes of one file. */
  readonly maxFileBytes?: number;
  /** Bytes of all files that the disk had no room for. */
  readonly maxMemoryBytes?: number;
  /** A conversion that takes longer ends with `conversion_timeout`; a long file gets more ({@link longFileMs}). */
  readonly maxDurationMs?: number;
  /** Between two reports of progress to one watcher. */
  readonly progressIntervalMs?: number;
}

/** What we assume of a conversion before the first was measured, in seconds. */
const assumedSeconds = 2;
/** Weight of the newest measurement in the mean. */
const meanWeight = 0.2;
const maxRetryAfterS = 300;
/** What a file's length adds to the limit, in ms: an mp3 comes at least four times as fast as it plays. */
const longFileMs = (bytes: number) => bytes / 64;
/** For each place, how many conversions wait when speed becomes worth more than quality. */
const overloadedFrom = 8;

/** Conversions in this process: a bounded fair queue in front of the maker, and a place where results are kept. */
export function createConversions(options: ConversionsOptions): Conversions {
  const { maker, keptFiles, parallel, now, observer } = options;
  const { maxWaiting = 200, maxWaitingOfVisitor = 10, maxFileBytes = 200e6, maxMemoryBytes = 64e6 } = options;
  const { maxDurationMs = 10 * 60_000, progressIntervalMs = 200 } = options;

  /** What waits or runs and can be joined. */
  const live = new Map<string, Conversion>();
  const running = new Map<Conversion, Promise<void>>();
  const outcomes = createOutcomes(now);
  const memory = createMemoryBudget(maxMemoryBytes);
  const statusWatch = createStatusWatch(progressIntervalMs);
  let meanSeconds = assumedSeconds;
  let stopping = false;

  const queue = createFairQueue<Conversion>({
    parallel,
    maxWaiting,
    maxWaitingOfVisitor,
    start(conversion, done) {
      const run = convert(conversion).finally(() => {
        running.delete(conversion);
        done();
      });
      running.set(conversion, run);
    },
    changed() {
      observer.queue(queue.waiting, queue.running);
      for (const { key, state } of live.values()) if (state === 'waiting') statusWatch.changed(key, false);
    },
  });

  function setState(conversion: Conversion, state: Conversion['state']): void {
    conversion.state = state;
    statusWatch.changed(conversion.key, true);
  }

  /** Ends a conversion for those who watch and ask; what it still has open is closed by {@link convert}. */
  function end(
    conversion: Conversion,
    state: 'done' | 'failed' | 'cancelled',
    failure: Failure | null,
  ): void {
    if (conversion.state === 'failed' || conversion.state === 'cancelled') return;
    conversion.error = failure;
    if (live.get(conversion.key) === conversion) live.delete(conversion.key);
    outcomes.set(conversion.key, statusOf({ ...conversion, state }, null));
    setState(conversion, state);
    if (failure !== null) conversion.opened.reject(failure);
  }

  async function convert(conversion: Conversion): Promise<void> {
    const { signal } = conversion.abort;
    const startedAt = now();
    const fast = queue.waiting >= overloadedFrom * parallel;
    const giveUp = () => conversion.abort.abort(new Failure('conversion_timeout'));
    let limit = setTimeout(giveUp, maxDurationMs).unref();
    let file: GrowingFile | null = null;
    let failure: Failure | null = null;
    let kept = false;
    try {
      setState(conversion, 'reading');
      const prepared = await maker.prepare({ work: conversion.work, fast, signal });
      signal.throwIfAborted();
      const { length } = prepared;
      if (length > maxFileBytes) throw new Failure('media_too_large', { note: `${length} bytes` });
      if (length <= 0) throw new Failure('sound_missing', { note: 'an empty file' });
      clearTimeout(limit);
      limit = setTimeout(giveUp, maxDurationMs + longFileMs(length)).unref();
      const etag = etagOf(conversion.key, prepared);
      file = await startGrowingFile({ store: keptFiles, key: conversion.key, length, etag, memory });
      file.closed.catch(observer.trouble);
      signal.throwIfAborted();
      conversion.result = { file, etag };
      for (const seat of conversion.seats) seat.hold();
      conversion.opened.resolve();
      setState(conversion, 'converting');
      for await (const chunk of prepared.chunks) {
        signal.throwIfAborted();
        await file.append(chunk);
        statusWatch.changed(conversion.key, false);
      }
      signal.throwIfAborted();
      kept = await file.finish();
    } catch (thrown) {
      failure = asFailure(signal.aborted ? signal.reason : thrown);
      await file?.fail(failure).catch(observer.trouble);
    } finally {
      clearTimeout(limit);
    }
    const outcome =
      failure === null ? 'done' : failure.key === 'conversion_cancelled' ? 'cancelled' : 'failed';
    const seconds = (now() - startedAt) / 1000;
    if (outcome === 'done') meanSeconds += meanWeight * (seconds - meanSeconds);
    end(conversion, outcome, failure);
    observer.ended({ work: conversion.work, outcome, seconds, failure, kept });
  }

  /** A place in a conversion was given up: the last one stops the work, unless nothing is left to do. */
  function seatLeft(conversion: Conversion, { visitor, stopped }: Seat): void {
    if (isWantedBy(conversion, visitor)) return;
    if (conversion.seats.size > 0 || conversion.state === 'waiting') queue.leave(conversion, visitor);
    if (conversion.seats.size > 0 || isMade(conversion)) return;
    const reason = stopped() ?? new Failure('conversion_cancelled');
    conversion.abort.abort(reason);
    end(conversion, reason.key === 'conversion_cancelled' ? 'cancelled' : 'failed', reason);
  }

  function queueFull(): Failure {
    const seconds = ((queue.waiting + queue.running) / parallel) * meanSeconds;
    return new Failure('queue_full', {
      retryAfterS: Math.min(maxRetryAfterS, Math.max(1, Math.ceil(seconds))),
    });
  }

  function sit(conversion: Conversion, visitor: string): Seat {
    const seat = takeSeat(conversion, visitor, (left) => seatLeft(conversion, left));
    if (conversion.state !== 'waiting' || queue.add(conversion, visitor)) return seat;
    const failure = queueFull();
    seat.stop(failure);
    throw failure;
  }

  function begin(work: ConversionWork, key: string): Conversion {
    const conversion = createConversion(work, key);
    live.set(key, conversion);
    outcomes.delete(key);
    return conversion;
  }

  /** A finished file, or null when it must be made or is being made. */
  async function findKept(key: string): Promise<KeptFile | null> {
    while (!live.has(key)) {
      const kept = await keptFiles.open(key);
      if (kept !== null) return kept;
      // One may have begun and even ended while we looked.
      if (keptFiles.peek(key) === null) return null;
    }
    return null;
  }

  async function open(work: ConversionWork, visitor: string, signal: AbortSignal): Promise<ConvertedFile> {
    signal.throwIfAborted();
    if (stopping) throw new Failure('stopping');
    const key = fileKey(work);
    const kept = await findKept(key);
    if (kept !== null) {
      const view = viewKeptFile(kept, observer.trouble);
      if (signal.aborted) view.release();
      signal.throwIfAborted();
      observer.asked('kept');
      return view;
    }
    signal.throwIfAborted();
    if (stopping) throw new Failure('stopping');

    // Nothing waits between this look and the beginning, so that a thousand askers begin one conversion.
    const joined = live.get(key);
    const conversion = joined ?? begin(work, key);
    const seat = sit(conversion, visitor);
    observer.asked(joined === undefined ? 'started' : 'joined');
    const stop = () => seat.stop(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    seat.taken.catch(() => signal.removeEventListener('abort', stop));
    try {
      await Promise.race([conversion.opened.promise, seat.taken]);
      if (conversion.result === null) throw new Failure('internal', { note: 'opened without a file' });
      return viewGrowingFile(conversion.result.file, conversion.result.etag, seat);
    } catch (thrown) {
      seat.leave();
      throw thrown;
    }
  }

  function status(work: ConversionWork, outcomesAfter?: number): ConversionStatus {
    const key = fileKey(work);
    const conversion = live.get(key);
    if (conversion !== undefined) return statusOf(conversion, queue.ahead(conversion));
    const kept = keptFiles.peek(key);
    if (kept !== null) return { state: 'done', ahead: null, fraction: 1, bytes: kept.length, error: null };
    return (
      outcomes.get(key, outcomesAfter) ?? {
        state: 'idle',
        ahead: null,
        fraction: 0,
        bytes: null,
        error: null,
      }
    );
  }

  function stopSeats(conversion: Conversion, failure: Failure, visitor?: string): boolean {
    const seats = [...conversion.seats].filter((seat) => visitor === undefined || seat.visitor === visitor);
    for (const seat of seats) seat.stop(failure);
    return seats.length > 0;
  }

  return {
    open,
    status: (work) => status(work),
    watch(work, signal) {
      // Who tries again watches the new conversion, perhaps before it begins: how the last one ended is not its news.
      const before = outcomes.latest;
      return statusWatch.watch(fileKey(work), () => status(work, before), signal);
    },

    cancel(work, visitor) {
      const conversion = live.get(fileKey(work));
      if (conversion === undefined || isMade(conversion)) return false;
      return stopSeats(conversion, new Failure('conversion_cancelled'), visitor);
    },

    async close(grace) {
      stopping = true;
      for (const conversion of [...live.values()]) {
        if (conversion.state === 'waiting') stopSeats(conversion, new Failure('stopping'));
      }
      const stopAll = () => {
        for (const conversion of running.keys()) conversion.abort.abort(new Failure('stopping'));
      };
      if (grace === undefined || grace.aborted) stopAll();
      else grace.addEventListener('abort', stopAll, { once: true });
      while (running.size > 0) await Promise.all(running.values());
      grace?.removeEventListener('abort', stopAll);
    },
  };
}
