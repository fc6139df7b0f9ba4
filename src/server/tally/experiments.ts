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
  const sums = new Map<string, VariantSums>();
  const add = async (subject: 'exposure' | 'conversion', column: 'exposures' | 'conversions') => {
    const rows = await store.sums({ subject, unit: 'day', from, by: ['at', 'name', 'detail'] });
    for (const { at, name, detail, total } of rows) {
      const none = { experiment: name, variant: detail, since: at, exposures: 0, conversions: 0 };
      const own = sums.get(`${name} ${detail}`) ?? none;
      const since = Math.min(own.since, at);
      sums.set(`${name} ${detail}`, { ...own, since, [column]: own[column] + total });
    }
  };
  await add('exposure', 'exposures');
  await add('conversion', 'conversions');
  return [...sums.values()].sort(
    (one, other) =>
      one.experiment.localeCompare(other.experiment) || one.variant.localeCompare(other.variant),
  );
}
