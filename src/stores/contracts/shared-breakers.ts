/** A circuit breaker that is open, and how long still. */
export interface OpenBreaker {
  /** How long it was opened for, in ms. */
  readonly forMs: number;
  /** Until the first trial; 0 or less when one may be made. */
  readonly remainingMs: number;
}

/** What instances tell each other of their circuit breakers. No call fails: without its server each has its own. */
export interface SharedBreakers {
  /** Told what the breaker of this name is now, and whenever another instance changes it; null for closed. */
  watch(name: string, listener: (open: OpenBreaker | null) => void): void;
  opened(name: string, forMs: number): void;
  closed(name: string): void;
  /**
   * Takes the one trial that all instances together may make.
   * @param limitMs after which another may be made in any case
   * @returns false while another instance tries
   */
  beginTrial(name: string, limitMs: number): Promise<boolean>;
  endTrial(name: string): void;
}
