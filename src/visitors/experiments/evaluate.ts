/** Visits that saw a variant, and how many of them did what it is about. */
export interface Trials {
  readonly exposures: number;
  readonly conversions: number;
}

/** How a variant compares with another one. Shares of visits, 0 to 1. */
export interface Comparison {
  /** Of this one's share over the other's. */
  readonly difference: number;
  /** Between which the true difference lies in 95 of 100 such experiments. */
  readonly low: number;
  readonly high: number;
}

/** Of the normal distribution, for 95 %. */
const z = 1.959963984540054;

/** The share of conversions; 0 without exposures. */
export const shareOf = ({ exposures, conversions }: Trials): number =>
  exposures === 0 ? 0 : conversions / exposures;

/** Wilson's score interval of a share (E. B. Wilson, 1927). */
function wilson(trials: Trials): { low: number; high: number } {
  const { exposures: n } = trials;
  const p = shareOf(trials);
  const middle = p + (z * z) / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const whole = 1 + (z * z) / n;
  return { low: (middle - half) / whole, high: (middle + half) / whole };
}

/**
 * The difference of two shares with its interval (R. G. Newcombe, 1998, method 10), which holds for small numbers too.
 * @returns null while one of them has no visits
 */
export function compare(variant: Trials, other: Trials): Comparison | null {
  if (variant.exposures === 0 || other.exposures === 0) return null;
  const [own, its] = [shareOf(variant), shareOf(other)];
  const [ownRange, itsRange] = [wilson(variant), wilson(other)];
  const difference = own - its;
  return {
    difference,
    low: difference - Math.hypot(own - ownRange.low, itsRange.high - its),
    high: difference + Math.hypot(ownRange.high - own, its - itsRange.low),
  };
}

const points = (share: number) => `${(share * 100).toFixed(1)}`;

/** Says in a sentence whether a comparison means anything. */
export function verdict(variant: string, other: string, comparison: Comparison | null): string {
  if (comparison === null)
    return `Nothing can be said of ${variant} and ${other} yet: one of them has no visits.`;
  const { difference, low, high } = comparison;
  const range = `95%: ${points(low)} to ${points(high)}`;
  if (low <= 0 && high >= 0)
    return `${variant} and ${other} may do equally well: ${points(difference)} points between them (${range}) can be chance.`;
  const way = difference > 0 ? 'better' : 'worse';
  return `${variant} does ${way} than ${other} by ${points(Math.abs(difference))} points (${range}): hardly chance.`;
}
