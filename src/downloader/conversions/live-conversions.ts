import { Failure } from '../../failures/failures.ts';
import { type ConversionStore, isFinal } from '../../stores/contracts/conversion-store.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import type { TicketConversion } from '../tickets/ticket-file.ts';
import type { ConvertedFile } from './contracts.ts';
import { type Conversion, createConversion, isMade, stateOf } from './conversion.ts';
import type { ConversionQueue, QueueEvents } from './conversion-queue.ts';
import { type Reader, viewGrowingFile } from './readers.ts';
import { fileKey } from './source.ts';

interface LiveConversionsOptions {
  readonly store: ConversionStore;
  readonly fileStore: Pick<FileStore, 'facts'>;
  readonly openQueue: (events: QueueEvents) => ConversionQueue;
  /** A visitor waits for a new conversion or for a running one. */
  readonly requested: (how: 'started' | 'joined') => void;
}

/** Several people can be one visitor, behind one address: each of them cancels what it was offered itself. */
export const waiterOf = ({ waiter = '' }: TicketConversion, visitor: string): string =>
  `${visitor} ${waiter}`;

/** The conversions of this instance that wait or run, each from its first reader to its end. */
export class LiveConversions {
  readonly #options: LiveConversionsOptions;
  readonly #queue: ConversionQueue;
  /** Key: the file's. */
  readonly #live = new Map<string, Conversion>();

  constructor(options: LiveConversionsOptions) {
    this.#options = options;
    this.#queue = options.openQueue({
      ended: (conversion, failure) => this.#end(conversion, failure),
      moved: () => {
        for (const { state, owned } of this.#live.values()) if (state === 'waiting') owned?.changed(false);
      },
    });
  }

  has(key: string): boolean {
    return this.#live.has(key);
  }

  /** Waits with the conversion's other readers for its file; null when the file is stored already. */
  async join(work: TicketConversion, visitor: string, signal: AbortSignal): Promise<ConvertedFile | null> {
    const key = fileKey(work);
    // No `await` between this look-up and the start, so that a thousand readers start one conversion.
    const joined = this.#live.get(key);
    const conversion = joined ?? this.#begin(work, key);
    const reader = conversion.readers.add({ visitor, waiter: waiterOf(work, visitor) }, (left) =>
      this.#readerLeft(conversion, left),
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
      if (conversion.state === 'waiting') this.#queue.add(conversion, visitor);
      this.#options.requested(joined === undefined ? 'started' : 'joined');
      await Promise.race([conversion.opened.promise, reader.whenStopped]);
      if (conversion.result === null) throw new Failure('internal', { note: 'opened without a file' });
      return viewGrowingFile(conversion.result.file, conversion.result.etag, reader);
    } catch (thrown) {
      reader.stop(thrown);
      throw thrown;
    }
  }

  /** Stops what waits; what runs may end until `grace` is aborted. */
  async close(grace?: AbortSignal): Promise<void> {
    const stopping = new Failure('stopping');
    for (const { state, readers } of [...this.#live.values()])
      if (state === 'waiting') readers.stop(stopping);
    await this.#queue.drain(({ abort }) => abort.abort(stopping), grace);
  }

  #begin(work: TicketConversion, key: string): Conversion {
    const conversion = createConversion(work, key);
    this.#live.set(key, conversion);
    conversion.claimed = this.#claim(conversion);
    // Every reader gets the failure by its own wait.
    conversion.claimed.catch(() => {});
    return conversion;
  }

  /** Registers a new conversion with the store. @returns false when its file is stored already */
  async #claim(conversion: Conversion): Promise<boolean> {
    const { key, readers } = conversion;
    const { store, fileStore } = this.#options;
    const owned = await store.begin(key, {
      state: () => this.#stateOf(conversion),
      cancel: (waiter) => !isMade(conversion) && readers.stop(new Failure('conversion_cancelled'), waiter),
    });
    conversion.owned = owned;
    if (isFinal(conversion)) owned.end(this.#stateOf(conversion));
    // Another conversion may have ended between the look-up of its file and this start.
    else if ((await fileStore.facts(key)) === null) return true;
    owned.end(null);
    conversion.owned = null;
    this.#forget(conversion);
    return false;
  }

  #stateOf(conversion: Conversion) {
    return stateOf(conversion, this.#queue.ahead(conversion));
  }

  #forget(conversion: Conversion): void {
    if (this.#live.get(conversion.key) === conversion) this.#live.delete(conversion.key);
  }

  /** Ends a conversion for its watchers and readers; the runner closes what is still open. */
  #end(conversion: Conversion, failure: Failure | null): void {
    if (isFinal(conversion)) return;
    const isCancelled = failure?.key === 'conversion_cancelled';
    conversion.error = failure;
    conversion.state = failure === null ? 'done' : isCancelled ? 'cancelled' : 'failed';
    this.#forget(conversion);
    conversion.owned?.end(this.#stateOf(conversion));
    if (failure !== null) conversion.opened.reject(failure);
  }

  /** A reader left: the last one stops the conversion, unless it is already complete. */
  #readerLeft(conversion: Conversion, { visitor, stopped }: Reader): void {
    const { readers, state, abort } = conversion;
    if (readers.has(visitor)) return;
    if (readers.count > 0 || state === 'waiting') this.#queue.leave(conversion, visitor);
    if (readers.count > 0 || isMade(conversion) || conversion.error !== null) return;
    const reason = stopped() ?? new Failure('conversion_cancelled');
    abort.abort(reason);
    this.#end(conversion, reason);
  }
}
