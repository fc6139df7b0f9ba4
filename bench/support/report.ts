/** One measured line: a figure, its baseline of the same run, and its limit. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Measured in the same run; absent if the bound is absolute. */
  readonly baseline?: number;
  /** Bound for the ratio when there is a baseline, for the value otherwise. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

const round = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));

/** Prints one line: value, baseline, ratio, and whether the bound holds. */
export function print({ what, value, unit, baseline, atMost, atLeast }: Row): void {
  const compared = baseline === undefined ? value : value / baseline;
  const parts = [`${what}: ${round(value)} ${unit}`];
  if (baseline !== undefined)
    parts.push(`baseline ${round(baseline)} ${unit}`, `ratio ${compared.toFixed(2)}`);
  if (atMost !== undefined) parts.push(`at most ${atMost}: ${compared <= atMost ? 'holds' : 'MISSED'}`);
  if (atLeast !== undefined) parts.push(`at least ${atLeast}: ${compared >= atLeast ? 'holds' : 'MISSED'}`);
  console.log(parts.join(', '));
}

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
