/** More than a clock is ever corrected by while it is right. */
const mostApartMs = 3_600_000;

interface Clocks {
  /** ms since the epoch; whoever administers the machine can set it. */
  readonly wallNow: () => number;
  /** ms; goes on evenly whatever the other one is set to. */
  readonly monotonicNow: () => number;
}

/**
 * Tells whether the time of day can be believed for what cannot be undone: not where it was set to another time since
 * this was made.
 */
export function createClockCheck({ wallNow, monotonicNow }: Clocks): () => boolean {
  const apart = () => wallNow() - monotonicNow();
  const atStart = apart();
  return () => Math.abs(apart() - atStart) <= mostApartMs;
}
