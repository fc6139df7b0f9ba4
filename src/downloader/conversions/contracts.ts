import type { FailureKey } from '../../failures/failures.ts';
import type { ConversionState } from '../../stores/contracts/conversion-store.ts';
import type { TicketConversion } from '../tickets/ticket-file.ts';

/** The part of a conversion's state that visitors may see. */
export interface ConversionStatus extends Omit<ConversionState, 'state' | 'error'> {
  /** `idle`: nobody has requested the file yet. */
  readonly state: ConversionState['state'] | 'idle';
  readonly error: FailureKey | null;
}

/** A converted file that may still be growing. */
export interface ConvertedFile {
  /** Exact size of the finished file, known before the first byte. */
  readonly length: number;
  /** True when the whole file is present, so that ranges can be served at once. */
  readonly complete: boolean;
  /** Strong validator, quotes included; the same for the same bytes on every instance that made them. */
  readonly etag: string;
  /**
   * Yields the bytes from `start` to `end` (exclusive) and waits for those that are still missing. Ending the iteration
   * early counts as leaving: the conversion stops when its last reader has left.
   * @throws Failure when the conversion fails midway
   */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  /** The caller that opened the file must call it once, even if `read` was never called. */
  release(): void;
}

export interface Conversions {
  /**
   * Starts the conversion or joins the running one, waits in the queue, and resolves when the length is known.
   * @param visitor an opaque key: a visitor has one running conversion, a second one waits
   * @param signal aborts when the caller leaves: ends the waiting and the reading of a growing file
   * @throws Failure `queue_full`, `overloaded`, `sound_missing`, … or the signal's reason
   */
  open(work: TicketConversion, visitor: string, signal: AbortSignal): Promise<ConvertedFile>;
  status(work: TicketConversion): Promise<ConversionStatus>;
  /**
   * Yields the present status and every change, at most a few a second; ends after `done`, `failed` or `cancelled`. A
   * failure or cancellation from before the watch began is reported as `idle`.
   */
  watch(work: TicketConversion, signal: AbortSignal): AsyncIterable<ConversionStatus>;
  /**
   * Cancels for this visitor if it requested the file with the same `work.waiter`; the conversion stops when no other
   * visitor waits for it. Returns false when there was nothing to cancel.
   */
  cancel(work: TicketConversion, visitor: string): Promise<boolean>;
  /**
   * Accepts no more conversions and refuses waiting ones (`stopping`). Running ones may end until `grace` aborts;
   * without `grace` they are stopped at once. Resolves when no conversion runs.
   */
  close(grace?: AbortSignal): Promise<void>;
}
