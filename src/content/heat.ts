/**
 * Heat is a sum of views in which a younger one weighs more, twice as much for each fourteen days. An old sum never has
 * to be cooled down: it is the new views that get heavier. A `double` holds the weights until the year 2065.
 */
const halfLifeMs = 14 * 86_400_000;
const beginning = Date.UTC(2026, 0, 1);

/** What one view at a time adds to an article's heat. */
export function heatWeight(now: number): number {
  return 2 ** ((now - beginning) / halfLifeMs);
}
