import { Failure } from '../../failures/failures.ts';
import { type ConversionStore, isFinal } from '../../stores/contracts/conversion-store.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import { createMemoryBudget } from '../expiring-files/memory-budget.ts';
import type { SoundWork } from '../tickets/work.ts';
import type { ConversionStatus, Conversions, ConvertedFile } from './contracts.ts';
import { type Conversion, createConversion, isMade, stateOf } from './conversion.ts';
import { createConversionQueue } from './conversion-queue.ts';
import { viewGrowingFile, viewStoredFile } from './converted-file.ts';
import type { Reader } from './readers.ts';
import { runConversion } from './run-conversion.ts';
import { fileKey, type SoundMaker } from './source.ts';
import { statusOf } from './status.ts';

/** Told what happens, for metrics and the log. */
export interface ConversionObserver {
  /** A visitor got a file: of a conversion of its own, of one that ran already, or one that was kept. */
  requested(how: 'started' | 'joined' | 'kept'): void;
  queue(waiting: number, running: number): void;
  /** @param end `seconds` from the start of the work, waiting not included; `kept` whether a later caller finds it */
  ended(end: {
    readonly work: SoundWork;
    readonly outcome: 'done' | 'failed' | 'cancelled';
    readonly seconds: number;
    readonly failure: Failure | null;
    readonly kept: boolean;
  }): void;
  /** Something went wrong that no caller is told of, such as a file that could not be closed. */
  error(error: unknown): void;
}

export interface ConversionsOptions {
  readonly maker: SoundMaker;
  readonly store: ConversionStore;
  readonly fileStore: FileStore;
  /** Conversions that run at once: the number of cores. */
  readonly parallel: number;
  /** ms since any moment */
  readonly now: () => number;
  readonly observer: ConversionObserver;
  /** Conversions that wait, of all visitors and of one. */
  readonly maxWaiting?: number;
  readonly maxWaitingOfVisitor?: number;
  /** Whether an mp3 may be made faster and worse while many wait; not where others make the same file too. */
  readonly mayHurry?: boolean;
  /** Bytes of one file. */
  readonly maxFileBytes?: number;
  /** Bytes of all files that the disk had no room for. */
  readonly maxMemoryBytes?: number;
  /** A conversion that takes longer ends with `conversion_timeout`; a long file gets more. */
  readonly maxDurationMs?: number;
}

/** Several people can be one visitor, behind one address: each of them cancels what it was offered itself. */
const waiterOf = ({ waiter = '' }: SoundWork, visitor: string): string => `${visitor} ${waiter}`;

/**
 * The conversions of this instance, behind a bounded fair queue. What other instances must know of them stands in the
 * store; finished files are kept.
 */
export function createConversions(options: ConversionsOptions): Conversions {
  const { store, fileStore, now, observer, maxWaiting = 200, maxWaitingOfVisitor = 10 } = options;
  const limits = {
    memory: createMemoryBudget(options.maxMemoryBytes ?? 64e6),
    maxFileBytes: options.maxFileBytes ?? 200e6,
    maxDurationMs: options.maxDurationMs ?? 10 * 60_000,
  };
  /** What waits or runs here and can be joined. */
  const live = new Map<string, Conversion>();
  const closing = new AbortController();

  const queue = createConversionQueue({
    parallel: options.parallel,
    maxWaiting,
    maxWaitingOfVisitor,
    mayHurry: options.mayHurry ?? true,
    run,
    changed(waiting, running) {
      observer.queue(waiting, running);
      for (const { state, owned } of live.values()) if (state === 'waiting') owned?.changed(false);
    },
  });

  const publicState = (conversion: Conversion) => stateOf(conversion, queue.ahead(conversion));

  function forget(conversion: Conversion): void {
    if (live.get(conversion.key) === conversion) live.delete(conversion.key);
  }

  /** Ends a conversion for those who watch and wait; what it still has open is closed by {@link run}. */
  function end(
    conversion: Conversion,
    state: 'done' | 'failed' | 'cancelled',
    failure: Failure | null,
  ): void {
    if (isFinal(conversion)) return;
    conversion.error = failure;
    conversion.state = state;
    forget(conversion);
    conversion.owned?.end(publicState(conversion));
    if (failure !== null) conversion.opened.reject(failure);
  }

  async function run(conversion: Conversion, visitor: string, fast: boolean): Promise<number | null> {
    const onError = observer.error;
    const { maker } = options;
    const startedAt = now();
    const result = await runConversion(conversion, { ...limits, maker, fileStore, visitor, fast, onError });
    const seconds = (now() - startedAt) / 1000;
    const { failure, kept } = result;
    const outcome =
      failure === null ? 'done' : failure.key === 'conversion_cancelled' ? 'cancelled' : 'failed';
    end(conversion, outcome, failure);
    observer.ended({ work: conversion.work, outcome, seconds, failure, kept });
    return failure === null ? seconds : null;
  }

  /** A reader has left: the last one stops the work, unless nothing is left to do. */
  function readerLeft(conversion: Conversion, { visitor, stopped }: Reader): void {
    const { readers, state, abort } = conversion;
    if (readers.has(visitor)) return;
    if (readers.count > 0 || state === 'waiting') queue.leave(conversion, visitor);
    if (readers.count > 0 || isMade(conversion) || conversion.error !== null) return;
    const reason = stopped() ?? new Failure('conversion_cancelled');
    abort.abort(reason);
    end(conversion, reason.key === 'conversion_cancelled' ? 'cancelled' : 'failed', reason);
  }

  /** Tells the store of a new conversion. @returns false when its file is there already */
  async function claim(conversion: Conversion): Promise<boolean> {
    const { key, readers } = conversion;
    const owned = await store.begin(key, {
      state: () => publicState(conversion),
      cancel: (waiter) => !isMade(conversion) && readers.stop(new Failure('conversion_cancelled'), waiter),
    });
    conversion.owned = owned;
    if (isFinal(conversion)) owned.end(publicState(conversion));
    // One may have ended between the look for its file and this beginning.
    else if ((await fileStore.facts(key)) === null) return true;
    owned.end(null);
    conversion.owned = null;
    forget(conversion);
    return false;
  }

  function begin(work: SoundWork, key: string): Conversion {
    const conversion = createConversion(work, key);
    live.set(key, conversion);
    conversion.claimed = claim(conversion);
    // Every reader gets the failure by its own wait.
    conversion.claimed.catch(() => {});
    return conversion;
  }

  /** Waits with the other readers of a conversion for its file; null when it is there already. */
  async function join(work: SoundWork, visitor: string, signal: AbortSignal): Promise<ConvertedFile | null> {
    const key = fileKey(work);
    // Nothing waits between this look and the beginning, so that a thousand readers begin one conversion.
    const joined = live.get(key);
    const conversion = joined ?? begin(work, key);
    const reader = conversion.readers.add({ visitor, waiter: waiterOf(work, visitor) }, (left) =>
      readerLeft(conversion, left),
    );
    const stop = () => reader.stop(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    reader.whenStopped.catch(() => signal.removeEventListener('abort', stop));
    try {
      const isMissing = await Promise.race([conversion.claimed, reader.whenStopped]);
      if (reader.stopped() !== null) await reader.whenStopped;
      if (!isMissing) {
        reader.leave();
        return null;
      }
      if (conversion.state === 'waiting') queue.add(conversion, visitor);
      observer.requested(joined === undefined ? 'started' : 'joined');
      await Promise.race([conversion.opened.promise, reader.whenStopped]);
      if (conversion.result === null) throw new Failure('internal', { note: 'opened without a file' });
      return viewGrowingFile(conversion.result.file, conversion.result.etag, reader);
    } catch (thrown) {
      reader.stop(thrown);
      throw thrown;
    }
  }

  async function openKept(key: string, signal: AbortSignal): Promise<ConvertedFile | null> {
    const kept = await fileStore.open(key);
    if (kept === null) return null;
    const view = viewStoredFile(kept, observer.error);
    if (signal.aborted) view.release();
    signal.throwIfAborted();
    observer.requested('kept');
    return view;
  }

  async function* statuses(
    key: string,
    states: ReturnType<ConversionStore['watch']>,
  ): AsyncGenerator<ConversionStatus, void, void> {
    for await (const state of states) {
      const status = await statusOf(state, () => fileStore.facts(key));
      yield status;
      if (status.state === 'done') return;
    }
  }

  return {
    async open(work, visitor, signal) {
      const key = fileKey(work);
      const checkWanted = () => {
        signal.throwIfAborted();
        closing.signal.throwIfAborted();
      };
      for (;;) {
        checkWanted();
        const kept = live.has(key) ? null : await openKept(key, signal);
        if (kept !== null) return kept;
        checkWanted();
        const made = await join(work, visitor, signal);
        if (made !== null) return made;
      }
    },

    async status(work) {
      const key = fileKey(work);
      return statusOf(await store.state(key), () => fileStore.facts(key));
    },

    watch: (work, signal) => statuses(fileKey(work), store.watch(fileKey(work), signal)),

    cancel: (work, visitor) => store.cancel(fileKey(work), waiterOf(work, visitor)),

    async close(grace) {
      closing.abort(new Failure('stopping'));
      for (const { state, readers } of [...live.values()]) {
        if (state === 'waiting') readers.stop(new Failure('stopping'));
      }
      await queue.drain(({ abort }) => abort.abort(new Failure('stopping')), grace);
    },
  };
}
