/** How a conversion is doing: plain data, since it may come from another instance. */
export interface ConversionState {
  readonly state: 'waiting' | 'reading' | 'converting' | 'done' | 'failed' | 'cancelled';
  /** While waiting: how many conversions are ahead of this one. */
  readonly ahead: number | null;
  /** From 0 to 1, of the finished file's bytes; of the work where its size is known only at the end. */
  readonly fraction: number;
  /** Size of the finished file, once it is known. */
  readonly bytes: number | null;
  /** Stable name of the failure; null unless it failed. */
  readonly error: string | null;
}

/** Whether nothing comes after this state. */
export const isFinal = ({ state }: Pick<ConversionState, 'state'>): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

/** An instance whose visitors wait for the file of a key, as the store asks it. */
export interface ConversionOwner {
  state(): ConversionState;
  /** The waiter wants the file no more. @returns false when the waiter did not wait for it */
  cancel(waiter: string): boolean;
}

/** An instance's part in a conversion. */
export interface OwnedConversion {
  /** The owner's state is another now. @param urgent false for progress alone, which may be told a little later */
  changed(urgent: boolean): void;
  /**
   * Gives the part back; without effect the second time.
   * @param last how it ended, which is remembered for a minute; null when there was nothing to do
   */
  end(last: ConversionState | null): void;
}

/**
 * What all instances know of the conversions of each other, by key. Several may have a part in one: the first of them
 * tells how it is doing, and when it leaves or dies the next one does.
 */
export interface ConversionStore {
  begin(key: string, owner: ConversionOwner): Promise<OwnedConversion>;
  /** The conversion that runs, or how one ended within the last minute; null without. */
  state(key: string): Promise<ConversionState | null>;
  /**
   * The present state and every change, progress at most a few times a second; null while nobody converts. Ends after
   * a final state, or with the signal. How a conversion ended before the watch began is not its news.
   */
  watch(key: string, signal: AbortSignal): AsyncIterable<ConversionState | null>;
  /** Asks all owners of this key to {@link ConversionOwner.cancel}; false when the waiter waited with none of them. */
  cancel(key: string, waiter: string): Promise<boolean>;
}
