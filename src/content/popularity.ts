/**
 * The popularity of an article (the column `heat`) is a sum of its views with exponential growth: a view counts twice
 * as much as one fourteen days older. Old sums are never rewritten; new views weigh more instead. A `double` holds the
 * weights until the year 2065.
 */
const halfLifeMs = 14 * 86_400_000;
const beginning = Date.UTC(2026, 0, 1);

/** The weight of a view at a time. */
export function viewWeight(now: number): number {
  return 2 ** ((now - beginning) / halfLifeMs);
}

/** When a view weighed so much, in milliseconds since 1970. */
export function momentOfWeight(weight: number): number {
  return beginning + Math.log2(weight) * halfLifeMs;
}
