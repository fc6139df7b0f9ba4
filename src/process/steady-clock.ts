/** More than a clock is ever corrected by while it is right. */
const mostApartMs = 3_600_000;

interface Clocks {
  /** ms since the epoch; the machine's administrator can set it. */
  readonly wallNow: () => number;
  /** ms; unaffected by setting the other clock. */
  readonly monotonicNow: () => number;
}

/** Whether the time of day can be trusted for irreversible actions: not after it was set since the start. */
export function createClockCheck({ wallNow, monotonicNow }: Clocks): () => boolean {
  const apart = () => wallNow() - monotonicNow();
  const atStart = apart();
  return () => Math.abs(apart() - atStart) <= mostApartMs;
}
