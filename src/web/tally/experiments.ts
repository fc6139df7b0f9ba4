import type { TallyStore } from '../../stores/tally/tally-store.ts';

/** Visits that saw a variant, and those of them that reached the experiment's goal. */
export interface VariantSums {
  readonly experiment: string;
  readonly variant: string;
  /** The first day that has some, in days since 1970. */
  readonly since: number;
  readonly exposures: number;
  readonly conversions: number;
}

/** The sums of every experiment that visitors have seen, in alphabetical order. @param from days since 1970 */
export async function experimentSums(
  store: Pick<TallyStore, 'sums'>,
  from: number,
): Promise<readonly VariantSums[]> {
  const read = (subject: 'exposure' | 'conversion') =>
    store.sums({ subject, unit: 'day', from, by: ['name', 'detail'] });
  const conversions = new Map(
    (await read('conversion')).map(({ name, detail, total }) => [`${name} ${detail}`, total]),
  );
  return (await read('exposure'))
    .map(({ name, detail, since, total }) => ({
      ...{ experiment: name, variant: detail, since, exposures: total },
      conversions: conversions.get(`${name} ${detail}`) ?? 0,
    }))
    .sort(
      (one, other) =>
        one.experiment.localeCompare(other.experiment) || one.variant.localeCompare(other.variant),
    );
}
