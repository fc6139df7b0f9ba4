/** An A/B test. */
export interface Experiment {
  /** The name of the cookie and the query parameter with a visitor's variant. */
  readonly name: string;
  readonly variants: readonly { readonly name: string; readonly weight: number }[];
  /** Paths without a language on which it runs; empty for all pages. */
  readonly pages: readonly string[];
  /** Milliseconds since 1970 between which it runs; null for no bound. */
  readonly start: number | null;
  readonly end: number | null;
}

/** Whether an experiment has begun and not ended. */
export function isDue({ start, end }: Experiment, now: number): boolean {
  return (start === null || now >= start) && (end === null || now < end);
}

/** Whether an experiment runs on a page. @param page its path without a language */
export function isRunning(experiment: Experiment, page: string, now: number): boolean {
  const { pages } = experiment;
  return isDue(experiment, now) && (pages.length === 0 || pages.includes(page));
}

/** A visitor's variant: the assigned one, else a random one by weight. @param random 0 to below 1 */
export function variantFor({ variants }: Experiment, known: string | null, random: number): string {
  if (variants.some(({ name }) => name === known)) return known ?? '';
  let rest = random * variants.reduce((sum, { weight }) => sum + weight, 0);
  for (const { name, weight } of variants) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return variants.at(-1)?.name ?? '';
}
