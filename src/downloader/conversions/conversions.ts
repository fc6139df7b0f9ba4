import { Failure, isFailureKey } from '../../failures/failures.ts';
import type { ConversionState, ConversionStore } from '../../stores/contracts/conversion-store.ts';
import type { FileStore, StoredFacts } from '../../stores/contracts/file-store.ts';
import { createMemoryBudget } from '../expiring-files/growing-storage.ts';
import type { ConversionStatus, Conversions, ConvertedFile } from './contracts.ts';
import {
  type ConversionQueue,
  createLocalQueue,
  type LocalQueueOptions,
  type QueueEvents,
} from './conversion-queue.ts';
import {
  type ConversionRunnerOptions,
  createConversionRunner,
  type RunObserver,
} from './conversion-runner.ts';
import type { FileTarget } from './fill-conversion.ts';
import { lacksOf, withoutStaleLacking } from './lacks.ts';
import { LiveConversions, waiterOf } from './live-conversions.ts';
import { viewStoredFile } from './readers.ts';
import { fileKey } from './source.ts';

/** Observes conversions, for metrics and the log. */
export interface ConversionObserver extends RunObserver {
  /** A visitor got a file: from its own conversion, from a running one, or from the store. */
  requested(how: 'started' | 'joined' | 'kept'): void;
  /** Conversions that wait in the queue of this instance. */
  waiting(count: number): void;
}

interface ConversionsOptions {
  readonly store: ConversionStore;
  /** Finished files. */
  readonly fileStore: Pick<FileStore, 'open' | 'facts'>;
  /** Opens what has conversions run. */
  readonly openQueue: (events: QueueEvents) => ConversionQueue;
  readonly observer: Pick<ConversionObserver, 'requested' | 'error'>;
}

/**
 * The conversions that this instance's visitors request. The store holds the state that other instances need; finished
 * files are stored.
 */
export function createConversions({
  store,
  fileStore: finished,
  openQueue,
  observer,
}: ConversionsOptions): Conversions {
  const fileStore = withoutStaleLacking(finished);
  const live = new LiveConversions({ store, fileStore, openQueue, requested: observer.requested });
  const closing = new AbortController();

  async function openStored(key: string, signal: AbortSignal): Promise<ConvertedFile | null> {
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
      const throwIfUnwanted = () => {
        signal.throwIfAborted();
        closing.signal.throwIfAborted();
      };
      for (;;) {
        throwIfUnwanted();
        const kept = live.has(key) ? null : await openStored(key, signal);
        if (kept !== null) return kept;
        throwIfUnwanted();
        const made = await live.join(work, visitor, signal);
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
      await live.close(grace);
    },
  };
}

/** The state from the store; without one, whether a finished file exists. */
async function statusOf(
  state: ConversionState | null,
  findStored: () => Promise<StoredFacts | null>,
): Promise<ConversionStatus> {
  // Another instance may be of another version.
  if (state !== null)
    return {
      ...state,
      error: state.error === null || isFailureKey(state.error) ? state.error : 'internal',
    };
  const kept = await findStored();
  const common = { ahead: null, error: null };
  return kept === null
    ? { ...common, state: 'idle', fraction: 0, bytes: null }
    : {
        ...common,
        ...{ state: 'done', fraction: 1, bytes: kept.length },
        ...lacksOf(kept.etag),
      };
}

/** Bounds of the files that are made at the same time. */
interface FileLimits {
  /** Bytes of one file. */
  readonly maxFileBytes?: number;
  /** Limit for all files together that the disk has no room for. */
  readonly maxMemoryBytes?: number;
}

export interface LocalConversionsOptions
  extends Pick<ConversionsOptions, 'store'>,
    Pick<ConversionRunnerOptions, 'maker' | 'now' | 'maxDurationMs'>,
    Pick<LocalQueueOptions, 'parallel' | 'slideshowsAtOnce' | 'maxWaiting' | 'maxWaitingOfVisitor'>,
    FileLimits {
  readonly fileStore: FileStore;
  readonly observer: ConversionObserver;
}

/** Files of conversions in a store, and in memory where the store is full. */
export function fileTarget(
  fileStore: FileStore,
  { maxFileBytes = 200e6, maxMemoryBytes = 64e6 }: FileLimits,
  onError: FileTarget['onError'],
): FileTarget {
  return { fileStore, memory: createMemoryBudget(maxMemoryBytes), maxFileBytes, onError };
}

/** The conversions of an instance that makes all of them itself. */
export function createLocalConversions(options: LocalConversionsOptions): Conversions {
  const { fileStore, observer } = options;
  const target = fileTarget(fileStore, options, observer.error);
  const runner = createConversionRunner({ ...options, target });
  return createConversions({
    ...options,
    openQueue: (events) =>
      createLocalQueue({ ...options, ...events, runner, waiting: (count) => observer.waiting(count) }),
  });
}
