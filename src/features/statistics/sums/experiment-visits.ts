import type { Transaction } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { TallyEntry } from '../../../stores/tally/tally-store.ts';
import { unitOf } from '../../../stores/tally/units.ts';
import type { Report } from '../report.ts';
import { type ExperimentVisitTable, withReports } from './tables.ts';

/** A visit in one variant of an experiment. */
interface Trial extends Pick<Report, 'session' | 'token' | 'madeAt'> {
  readonly experiment: string;
  readonly variant: string;
}

/** Rows of one statement; both engines allow more bound values. */
export const rowsAtOnce = 200;

/** The default goal of an experiment: the visit saves a file. */
const usualGoal = 'download';

/** Successes only; a failed download is none. */
const isConversion = ({ payload: { event, file } }: Report) =>
  event === usualGoal && (file === undefined || file.outcome === 'success');

function trialsOf(reports: readonly Report[]): Trial[] {
  const trials = new Map<string, Trial>();
  for (const { session, token, madeAt, payload } of reports.filter((one) => one.isVisitCounted))
    for (const { key: experiment, value: variant } of payload.ab_try_list ?? []) {
      const name = `${session} ${experiment}`;
      if (!trials.has(name)) trials.set(name, { session, token, madeAt, experiment, variant });
    }
  // The same order everywhere prevents deadlocks between instances.
  return [...trials].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, trial]) => trial);
}

/** A visit of an experiment, as it is counted: on the day of its first report. */
const entryOf =
  (subject: 'exposure' | 'conversion') =>
  (visit: Pick<ExperimentVisitTable, 'experiment' | 'variant' | 'made_at'>): TallyEntry => ({
    ...{ subject, name: visit.experiment, detail: visit.variant },
    ...{ hour: unitOf('hour', visit.made_at), total: 1 },
  });

/**
 * Keeps visits for their experiments, and says what they add to the sums: each once for having seen a variant, and once more for reaching the goal for the
 * first time, on any page. Both count on the day of the visit's first report.
 */
export async function countTrials(
  transaction: Transaction<Tables>,
  reports: readonly Report[],
): Promise<readonly TallyEntry[]> {
  const query = withReports(transaction);
  const trials = trialsOf(reports);
  const entries: TallyEntry[] = [];
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
    entries.push(...begun.map(entryOf('exposure')));
  }
  // On any page: visitors of a tested page may save their files on another one.
  const sessions = new Set(reports.filter(isConversion).map(({ session }) => session));
  for (const session of [...sessions].sort()) {
    const converted = await query
      .updateTable('experiment_visits')
      .set({ converted: 1 })
      .where('session', '=', session)
      .where('converted', '=', 0)
      .returning(['experiment', 'variant', 'made_at'])
      .execute();
    entries.push(...converted.map(entryOf('conversion')));
  }
  return entries;
}
