import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { dayMs, startOf, unitOf } from './units.ts';

/** How often the sums of today are taken again. */
const everyMs = 600_000;
/** As long as days are kept. */
const keptDays = 396;

/** So many rows a statement writes. */
const rowsAtOnce = 200;

/** What of the statistics' sums is kept by day alone, without language and device. */
const rolled = [
  { subject: 'view', name: 'page', detail: null },
  { subject: 'event', name: 'name', detail: 'detail' },
  { subject: 'visitor', name: null, detail: null },
  { subject: 'visit', name: null, detail: null },
] as const;

const dayName = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/** Writes sums, each in place of what was written of it before. */
async function writeSums(
  query: Kysely<Tables>,
  table: 'daily_figures' | 'monthly_figures',
  sums: readonly Insertable<Tables['daily_figures']>[],
): Promise<void> {
  for (let at = 0; at < sums.length; at += rowsAtOnce)
    await query
      .insertInto(table)
      .values(sums.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['subject', 'at', 'name', 'detail'])
          .doUpdateSet(({ ref }) => ({ total: ref('excluded.total') })),
      )
      .execute();
}

/**
 * Takes the sums of a day out of those of the statistics, of which a day has thousands. What is written is the sum as it
 * stands, so that any number of instances may do it, any number of times.
 * @param day days since 1970
 */
export async function rollUpDay(query: Kysely<Tables>, day: number): Promise<void> {
  for (const { subject, name, detail } of rolled) {
    const parts = [name, detail].filter((part) => part !== null);
    const rows = await query
      .selectFrom('daily_sums')
      .select(({ fn }) => [...parts, fn.sum<number>('total').as('total')])
      .where('day', '=', dayName(day))
      .where('subject', '=', subject)
      .groupBy(parts.length > 0 ? parts : ['subject'])
      .execute();
    const figures = (rows as readonly Record<string, string | number>[]).map((row) => ({
      ...{ subject, at: day, total: Number(row.total) },
      name: String(name === null ? '' : row[name]),
      detail: String(detail === null ? '' : row[detail]),
    }));
    await writeSums(query, 'daily_figures', figures);
    // SQLite lets nothing else be done while it writes.
    await nextTurn();
  }
}

const subjectNames = rolled.map(({ subject }) => subject);

/** Sums up the days of a month that were rolled up. @param month months since 1970 */
async function rollUpMonth(query: Kysely<Tables>, month: number): Promise<void> {
  const [first, next] = [month, month + 1].map((at) => startOf('month', at) / dayMs) as [number, number];
  const parts = ['subject', 'name', 'detail'] as const;
  const rows = await query
    .selectFrom('daily_figures')
    .select(({ fn }) => [...parts, fn.sum<number>('total').as('total')])
    .where('subject', 'in', subjectNames)
    .where('at', '>=', first)
    .where('at', '<', next)
    .groupBy(parts)
    .execute();
  const figures = rows.map((row) => ({ ...row, at: month, total: Number(row.total) }));
  await writeSums(query, 'monthly_figures', figures);
  await nextTurn();
}

/** The first day that is not known to be whole: the one before the latest that was rolled up. */
async function firstDay(query: Kysely<Tables>, today: number): Promise<number> {
  const { day } = await query
    .selectFrom('daily_figures')
    .select(({ fn }) => fn.max('at').as('day'))
    .where('subject', 'in', subjectNames)
    .executeTakeFirstOrThrow();
  return day === null ? today - keptDays : Math.max(today - keptDays, Number(day) - 1);
}

/**
 * Rolls up today and every day before that is not yet, at the start and every ten minutes.
 * @param now milliseconds since 1970
 * @returns ends it
 */
export function startRollUp(
  query: Kysely<Tables>,
  now: () => number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let isEnding = false;
  async function run(): Promise<void> {
    const today = Math.floor(now() / dayMs);
    const first = await firstDay(query, today);
    for (let day = first; day <= today && !isEnding; day++) await rollUpDay(query, day);
    const thisMonth = unitOf('month', now());
    for (let month = unitOf('month', first * dayMs); month <= thisMonth && !isEnding; month++)
      await rollUpMonth(query, month);
  }
  let running = run().catch(onError);
  const timer = setInterval(() => {
    running = running.then(run).catch(onError);
  }, everyMs);
  timer.unref();
  return async () => {
    isEnding = true;
    clearInterval(timer);
    await running;
  };
}
