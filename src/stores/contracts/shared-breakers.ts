/** A circuit breaker that is open, and how long still. */
export interface OpenBreaker {
  /** Duration of the opening, in ms. */
  readonly forMs: number;
  /** Time until the first trial; 0 or less when one may be made. */
  readonly remainingMs: number;
}

/**
 * Circuit breakers' states shared between instances. No call fails: without the server each instance uses its own
 * state.
 */
export interface SharedBreakers {
  /**
   * Calls back with the present state of the breaker of this name, and whenever another instance changes it; null for
   * closed.
   */
  watch(name: string, listener: (open: OpenBreaker | null) => void): void;
  opened(name: string, forMs: number): void;
  closed(name: string): void;
  /**
   * Takes the one trial that all instances together may make.
   * @param limitMs after which another trial may be made in any case
   * @returns false while another instance makes one
   */
  beginTrial(name: string, limitMs: number): Promise<boolean>;
  endTrial(name: string): void;
}
