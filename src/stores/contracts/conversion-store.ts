/** How a conversion is doing: plain data, since it may come from another instance. */
export interface ConversionState {
  readonly state: 'waiting' | 'reading' | 'converting' | 'done' | 'failed' | 'cancelled';
  /** While waiting: how many conversions are ahead of this one. */
  readonly ahead: number | null;
  /** From 0 to 1, of the finished file's bytes. */
  readonly fraction: number;
  /** Size of the finished file, once it is known. */
  readonly bytes: number | null;
  /** Stable name of the failure; null unless it failed. */
  readonly error: string | null;
}

/** Whether nothing comes after this state. */
export const isFinal = ({ state }: Pick<ConversionState, 'state'>): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

/** Whoever makes the file of a key, as the store asks it. */
export interface ConversionOwner {
  state(): ConversionState;
  /** The visitor wants the file no more. @returns false when the visitor did not wait for it */
  cancel(visitor: string): boolean;
}

/** A key that is the caller's to convert. */
export interface OwnedConversion {
  /** The owner's state is another now. @param urgent false for progress alone, which may be told a little later */
  changed(urgent: boolean): void;
  /**
   * Gives the key back; without effect the second time.
   * @param last how it ended, which is remembered for a minute; null when there was nothing to do
   */
  end(last: ConversionState | null): void;
}

/**
 * What all instances know of the conversions of each other, by key. At most one converts under a key at a time; the
 * finished file goes into {@link KeptFiles} before the key is given back.
 */
export interface ConversionStore {
  /** Makes the caller the owner of this key; null while somebody else is. */
  begin(key: string, owner: ConversionOwner): Promise<OwnedConversion | null>;
  /** The conversion that runs, or how one ended within the last minute; null without. */
  state(key: string): Promise<ConversionState | null>;
  /**
   * The present state and every change, progress at most a few times a second; null while nobody converts. Ends after
   * a final state, or with the signal. How a conversion ended before the watch began is not its news.
   */
  watch(key: string, signal: AbortSignal): AsyncIterable<ConversionState | null>;
  /** Asks the owner of this key to {@link ConversionOwner.cancel}; false without an owner. */
  cancel(key: string, visitor: string): Promise<boolean>;
}
