/** Something forbidden that happened. */
export interface Violation {
  readonly rule: string;
  /** ms since the start */
  readonly atMs: number;
  readonly what: string;
}

/** Records a violation. */
export type Report = (rule: string, what: string) => void;

/** Times are sums of fractions: two that should be equal may differ by this, in ms. */
export const roundingMs = 0.01;
