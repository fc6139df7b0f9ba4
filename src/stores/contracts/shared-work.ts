/** The result of a piece of work, as it is passed on. */
export interface WorkResult {
  readonly text: string;
  /** How long it may be used by others, in ms; 0 for those alone who wait for it now. */
  readonly keepMs: number;
}

/** A result, and how it was come by. */
export interface SharedResult {
  readonly text: string;
  /** True when it was made elsewhere, or earlier. */
  readonly isShared: boolean;
}

/**
 * Work whose result many want, in several processes: one of them does it, and all have the result, those that come later
 * for a while. Who does it and dies or gives up is followed by one of those that wait. Without its server everybody works
 * for themselves.
 */
export interface SharedWork {
  /**
   * @param work has a result that is good for everybody; what it throws is nobody else's, who try for themselves
   * @throws what `work` throws, or the signal's reason
   */
  run(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<WorkResult>,
  ): Promise<SharedResult>;
  /** Has a result used in place of what is kept, by those that come later. */
  put(key: string, result: WorkResult): Promise<void>;
}
