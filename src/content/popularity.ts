/**
 * The popularity of an article (the column `heat`) is a sum of its views with exponential decay: each is worth twice as
 * much for every fourteen days that it is younger. Old sums are never written anew: it is new views that weigh more. A
 * `double` holds the weights until the year 2065.
 */
const halfLifeMs = 14 * 86_400_000;
const beginning = Date.UTC(2026, 0, 1);

/** What one view at a time adds to an article's popularity. */
export function viewWeight(now: number): number {
  return 2 ** ((now - beginning) / halfLifeMs);
}

/** When a view weighed so much, in milliseconds since 1970. */
export function momentOfWeight(weight: number): number {
  return beginning + Math.log2(weight) * halfLifeMs;
}
