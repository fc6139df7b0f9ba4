import type { FileStore } from '../../stores/contracts/file-store.ts';
import { createMemoryBudget } from '../expiring-files/memory-budget.ts';
import type { Conversions } from './contracts.ts';
import { createLocalQueue, type LocalQueueOptions } from './conversion-queue.ts';
import { type ConversionRunnerOptions, createConversionRunner } from './conversion-runner.ts';
import { type ConversionObserver, type ConversionsOptions, createConversions } from './conversions.ts';
import type { FileTarget } from './fill-conversion.ts';

/** Bounds of the files that are made at the same time. */
export interface FileLimits {
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
