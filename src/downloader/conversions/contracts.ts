import type { FailureKey } from '../../failures/failures.ts';
import type { ConversionState } from '../../stores/contracts/conversion-store.ts';
import type { ConversionWork } from '../tickets/work.ts';

/** What a visitor may know of a conversion. */
export interface ConversionStatus extends Omit<ConversionState, 'state' | 'error'> {
  /** `idle`: nobody asked for the file yet. */
  readonly state: ConversionState['state'] | 'idle';
  readonly error: FailureKey | null;
}

/** A converted file that may still be growing. */
export interface ConvertedFile {
  /** Exact size of the finished file, known before the first byte. */
  readonly length: number;
  /** True when the whole file is there, so that ranges can be answered at once. */
  readonly complete: boolean;
  /** Strong validator, quotes included; the same for the same bytes on every instance that made them. */
  readonly etag: string;
  /**
   * The bytes from `start` to `end` (exclusive), waiting for those that are not there yet. Ending the iteration early
   * counts as leaving: the conversion stops when nobody reads it any more.
   * @throws Failure when the conversion fails in the middle
   */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  /** Must be called once by whoever opened the file, also when `read` was never called. */
  release(): void;
}

export interface Conversions {
  /**
   * Starts the conversion or joins the one that runs, waits for its turn, and resolves when the length is known.
   * @param visitor an opaque key: one visitor has one conversion at a time, a second waits
   * @param signal the caller is gone: ends the waiting, and later the reading of a file that still grows
   * @throws Failure `queue_full`, `overloaded`, `sound_missing`, … or the signal's reason
   */
  open(work: ConversionWork, visitor: string, signal: AbortSignal): Promise<ConvertedFile>;
  status(work: ConversionWork): Promise<ConversionStatus>;
  /**
   * The present status and every change, at most a few a second; ends after `done`, `failed` or `cancelled`. A
   * failure or cancelling from before the watch began is `idle` to it.
   */
  watch(work: ConversionWork, signal: AbortSignal): AsyncIterable<ConversionStatus>;
  /**
   * Cancels for this visitor, as far as it asked with the same `work.waiter`; the work itself stops when nobody else
   * wants it. False when there was nothing.
   */
  cancel(work: ConversionWork, visitor: string): Promise<boolean>;
  /**
   * Takes nothing more and refuses what waits (`stopping`); what runs may end until `grace` is aborted, or is stopped
   * at once without one. Resolves when nothing runs any more.
   */
  close(grace?: AbortSignal): Promise<void>;
}
