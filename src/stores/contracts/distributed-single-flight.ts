/** The result of a piece of work, as it is passed on. */
export interface FlightResult {
  readonly text: string;
  /** How long it may be shared, in ms; 0 for the present waiters only. */
  readonly keepMs: number;
}

/** A result, and its origin. */
export interface SharedResult {
  readonly text: string;
  /** True when another process made it, or it was made earlier. */
  readonly isShared: boolean;
}

/**
 * A single flight across processes: one of them runs the task, and all get its result, later callers for a while. When
 * the runner dies or gives up, a waiter takes over. Without the server every process runs its own.
 */
export interface DistributedSingleFlight {
  /**
   * @param task has a result that is valid for every caller; its errors are not shared, and other callers run their own
   * @throws what `work` throws, or the signal's reason
   */
  run(
    key: string,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<FlightResult>,
  ): Promise<SharedResult>;
  /** Replaces the cached result for later callers. */
  put(key: string, result: FlightResult): Promise<void>;
}
