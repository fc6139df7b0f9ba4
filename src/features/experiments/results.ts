import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

/** A variant's result: visits that saw it, and those of them that reached the experiment's goal. */
interface VariantResult {
  readonly variant: string;
  readonly exposures: number;
  readonly conversions: number;
  /** Share of visits that converted, 0 to 1. */
  readonly share: number;
}

/** An experiment's result. */
export interface ExperimentResult {
  readonly experiment: string;
  /** The day of the first visit, as `2026-11-22`, in UTC. */
  readonly since: string;
  readonly variants: readonly VariantResult[];
  /** Visits since that day that counted in no experiment, because their networks had begun too many. */
  readonly uncounted: number;
}

async function uncountedSince(query: Kysely<Tables>, day: string): Promise<number> {
  const { total } = await query
    .selectFrom('daily_sums')
    .select(({ fn }) => fn.sum<number | null>('total').as('total'))
    .where('subject', '=', 'uncounted')
    .where('name', '=', 'visit')
    .where('day', '>=', day)
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

/** Sums the days of every experiment that visitors have seen. */
export async function readResults(query: Kysely<Tables>): Promise<readonly ExperimentResult[]> {
  const rows = await query
    .selectFrom('experiment_days')
    .select(({ fn }) => [
      'experiment',
      'variant',
      fn.min('day').as('since'),
      fn.sum<number>('exposures').as('exposures'),
      fn.sum<number>('conversions').as('conversions'),
    ])
    .groupBy(['experiment', 'variant'])
    .orderBy('experiment')
    .orderBy('variant')
    .execute();
  const results: ExperimentResult[] = [];
  for (const [experiment, some] of Map.groupBy(rows, (row) => row.experiment)) {
    const since = some.map((row) => row.since).sort()[0] ?? '';
    const variants = some.map((row) => {
      const [exposures, conversions] = [Number(row.exposures), Number(row.conversions)];
      return { variant: row.variant, exposures, conversions, share: conversions / Math.max(1, exposures) };
    });
    results.push({ experiment, since, variants, uncounted: await uncountedSince(query, since) });
  }
  return results;
}
