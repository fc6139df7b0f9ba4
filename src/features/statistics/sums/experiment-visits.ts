import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { Report } from '../report.ts';
import { dayOf, rowsAtOnce } from './daily-sums.ts';

/** A visit in one variant of an experiment. */
interface Trial extends Pick<Report, 'session' | 'token' | 'madeAt'> {
  readonly experiment: string;
  readonly variant: string;
}

/** What a visit does that an experiment without a goal of its own is about: it saves a file. */
const usualGoal = 'download';

/** What happened for the better; a download that failed is no success. */
const isConversion = ({ payload: { event, file } }: Report) =>
  event === usualGoal && (file === undefined || file.outcome === 'success');

function trialsOf(reports: readonly Report[]): Trial[] {
  const trials = new Map<string, Trial>();
  for (const { session, token, madeAt, payload } of reports.filter((one) => one.isVisitCounted))
    for (const { key: experiment, value: variant } of payload.ab_try_list ?? []) {
      const name = `${session} ${experiment}`;
      if (!trials.has(name)) trials.set(name, { session, token, madeAt, experiment, variant });
    }
  // In one order everywhere, so that two instances never wait for each other in a circle.
  return [...trials].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, trial]) => trial);
}

type Counts = Map<string, Tables['experiment_days']>;

function count(counts: Counts, experiment: string, variant: string, day: string) {
  const name = `${experiment} ${variant} ${day}`;
  const known = counts.get(name) ?? { experiment, variant, day, exposures: 0, conversions: 0 };
  counts.set(name, known);
  return known;
}

/**
 * Counts visits for the experiments that they take part in: each once for having seen a variant, and once more for the
 * first time that it did what is hoped for, on whatever page. Both belong to the day on which the visit was first heard of.
 */
export async function countTrials(query: Transaction<Tables>, reports: readonly Report[]): Promise<void> {
  const trials = trialsOf(reports);
  const counts: Counts = new Map();
  for (let at = 0; at < trials.length; at += rowsAtOnce) {
    const begun = await query
      .insertInto('experiment_visits')
      .values(
        trials
          .slice(at, at + rowsAtOnce)
          .map(({ madeAt, ...trial }) => ({ ...trial, made_at: madeAt, converted: 0 })),
      )
      .onConflict((conflict) => conflict.columns(['session', 'experiment']).doNothing())
      .returning(['experiment', 'variant', 'made_at'])
      .execute();
    for (const { experiment, variant, made_at } of begun)
      count(counts, experiment, variant, dayOf(made_at)).exposures += 1;
  }
  // Wherever it happens: a page may be tried out whose visitors save their files on another one.
  const sessions = new Set(reports.filter(isConversion).map(({ session }) => session));
  for (const session of [...sessions].sort()) {
    const converted = await query
      .updateTable('experiment_visits')
      .set({ converted: 1 })
      .where('session', '=', session)
      .where('converted', '=', 0)
      .returning(['experiment', 'variant', 'made_at'])
      .execute();
    for (const { experiment, variant, made_at } of converted)
      count(counts, experiment, variant, dayOf(made_at)).conversions += 1;
  }
  if (counts.size === 0) return;
  await query
    .insertInto('experiment_days')
    .values([...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row))
    .onConflict((conflict) =>
      conflict.columns(['experiment', 'variant', 'day']).doUpdateSet({
        exposures: sql`experiment_days.exposures + excluded.exposures`,
        conversions: sql`experiment_days.conversions + excluded.conversions`,
      }),
    )
    .execute();
}
