/** The state of a conversion: plain data, since it may come from another instance. */
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
  /** Whether it is a slideshow's video that is made without its sound, which cannot be had; false when left out. */
  readonly isSoundless?: boolean | undefined;
  /** Pictures that a slideshow's video is made without; none when left out. */
  readonly missingPictures?: number | undefined;
}

/** Whether this state is the last. */
export const isFinal = ({ state }: Pick<ConversionState, 'state'>): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

/** Whether a watcher need not be told of the second after the first. */
export const isSameState = (one: ConversionState | null, other: ConversionState | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** How long a polling client can still read the outcome of a conversion without a file, in ms. */
export const rememberMs = 60_000;

/** An instance with visitors that wait for a key's file, as seen by the store. */
export interface ConversionOwner {
  state(): ConversionState;
  /** Removes the waiter. @returns false when it did not wait for the file */
  cancel(waiter: string): boolean;
}

/** An instance's part in a conversion. */
export interface OwnedConversion {
  /** Reports a changed state. @param urgent false for progress only, which may be delayed a little */
  changed(urgent: boolean): void;
  /**
   * Gives up the ownership; no effect the second time.
   * @param last the final state, which is remembered for a minute; null when there was nothing to do
   */
  end(last: ConversionState | null): void;
}

/**
 * The instances' shared knowledge of their conversions, by key. Several instances may own one: the first reports its
 * state, and the next takes over when it leaves or dies.
 */
export interface ConversionStore {
  begin(key: string, owner: ConversionOwner): Promise<OwnedConversion>;
  /** The conversion that runs, or how one ended within the last minute; null without. */
  state(key: string): Promise<ConversionState | null>;
  /**
   * Yields the present state and every change, progress at most a few times a second; null while nobody converts. Ends
   * after a final state, or with the signal. Does not report a conversion that ended before the watch began.
   */
  watch(key: string, signal: AbortSignal): AsyncIterable<ConversionState | null>;
  /** Asks all owners of this key to {@link ConversionOwner.cancel}; false when the waiter waited with none of them. */
  cancel(key: string, waiter: string): Promise<boolean>;
}
