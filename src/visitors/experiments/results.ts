import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Trials } from './evaluate.ts';

/** What came of the variants of each experiment, by its name and theirs. */
export type ExperimentTrials = ReadonlyMap<string, ReadonlyMap<string, Trials>>;

/** Adds up the days of every experiment that anybody has seen. */
export async function readTrials(query: Kysely<Tables>): Promise<ExperimentTrials> {
  const rows = await query
    .selectFrom('experiment_days')
    .select(({ fn }) => [
      'experiment',
      'variant',
      fn.sum<number>('exposures').as('exposures'),
      fn.sum<number>('conversions').as('conversions'),
    ])
    .groupBy(['experiment', 'variant'])
    .orderBy('experiment')
    .orderBy('variant')
    .execute();
  const found = new Map<string, Map<string, Trials>>();
  for (const { experiment, variant, exposures, conversions } of rows) {
    const variants = found.get(experiment) ?? new Map<string, Trials>();
    found.set(experiment, variants);
    variants.set(variant, { exposures: Number(exposures), conversions: Number(conversions) });
  }
  return found;
}
