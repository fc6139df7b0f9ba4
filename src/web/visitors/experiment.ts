/** Something that is shown in several ways at the same time, to see which does better. */
export interface Experiment {
  /** Of the cookie and the query parameter that hold a visitor's variant. */
  readonly name: string;
  readonly variants: readonly { readonly name: string; readonly weight: number }[];
  /** Paths without a language on which it runs; all pages when there are none. */
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

/** The variant that a visitor is in: the one they were given before, else one by the weights. @param random 0 to below 1 */
export function variantFor({ variants }: Experiment, known: string | null, random: number): string {
  if (variants.some(({ name }) => name === known)) return known ?? '';
  let rest = random * variants.reduce((sum, { weight }) => sum + weight, 0);
  for (const { name, weight } of variants) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return variants.at(-1)?.name ?? '';
}
