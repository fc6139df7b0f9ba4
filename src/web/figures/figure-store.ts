import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { type Subject, subjects as all } from './subjects.ts';
import { type HourFigure, hourMs } from './waiting-figures.ts';

/** Hours are kept for a month, days for a year and a month. */
const keptHours = 31 * 24;
const keptDays = 396;
const dayHours = 24;

/** So many rows a statement writes: PostgreSQL and SQLite take more values in one than these have. */
const rowsAtOnce = 200;

/** What an instance writes at once. Its number makes sure that it is counted once, however often it is sent. */
export interface FigureBatch {
  readonly instance: string;
  /** Grows by one from batch to batch of an instance. */
  readonly number: number;
  readonly figures: readonly HourFigure[];
}

/** One row of an answer: sums by name and detail, and by hour or day where these were asked for. */
export interface FigureRow {
  readonly subject: Subject;
  readonly name: string;
  readonly detail: string;
  readonly total: number;
}

/** A name's sums over several spans that end now, in the order in which these were asked for. */
export interface SpanRow {
  readonly subject: Subject;
  readonly name: string;
  readonly detail: string;
  readonly totals: readonly number[];
}

/** How much of a name's sum of an hour has one of some details. */
export interface ShareRow {
  readonly name: string;
  /** Hours since 1970. */
  readonly at: number;
  readonly total: number;
  readonly part: number;
}

/** Sums of all instances together. */
export interface FigureStore {
  /** Adds a batch to its hours and days, once. @returns false when it was written before */
  write(batch: FigureBatch): Promise<boolean>;
  /** Deletes hours and days of long ago. */
  expire(): Promise<void>;
  /** Sums of several subjects from an hour on. @param hour hours since 1970 */
  sumHours(subjects: readonly Subject[], hour: number): Promise<readonly FigureRow[]>;
  /** The same, of days. @param day days since 1970 */
  sumDays(subjects: readonly Subject[], day: number): Promise<readonly FigureRow[]>;
  /** Sums since each of several hours. @param hours hours since 1970 */
  sumSpans(subjects: readonly Subject[], hours: readonly number[]): Promise<readonly SpanRow[]>;
  /** Sums of each hour by name, and how much of them has one of these details. */
  sharesByHour(subject: Subject, hour: number, details: readonly string[]): Promise<readonly ShareRow[]>;
  /** Sums of each hour, by name and detail. */
  byHour(subject: Subject, hour: number): Promise<readonly (FigureRow & { readonly at: number })[]>;
  byDay(subject: Subject, day: number): Promise<readonly (FigureRow & { readonly at: number })[]>;
}

function toDays(figures: readonly HourFigure[]): Tables['daily_figures'][] {
  const days = new Map<string, Tables['daily_figures']>();
  for (const { hour, ...figure } of figures) {
    const day = Math.floor(hour / dayHours);
    const key = [day, figure.subject, figure.name, figure.detail].join('\n');
    const before = days.get(key);
    days.set(key, { ...figure, day, total: figure.total + (before?.total ?? 0) });
  }
  return [...days.values()];
}

async function addRows(query: Transaction<Tables>, figures: readonly HourFigure[]): Promise<void> {
  for (let at = 0; at < figures.length; at += rowsAtOnce)
    await query
      .insertInto('hourly_figures')
      .values(figures.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['subject', 'hour', 'name', 'detail'])
          .doUpdateSet({ total: sql`hourly_figures.total + excluded.total` }),
      )
      .execute();
  const days = toDays(figures);
  for (let at = 0; at < days.length; at += rowsAtOnce)
    await query
      .insertInto('daily_figures')
      .values(days.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['subject', 'day', 'name', 'detail'])
          .doUpdateSet({ total: sql`daily_figures.total + excluded.total` }),
      )
      .execute();
}

/** Takes the number of a batch. @returns false when the instance has written it before */
async function takeNumber(query: Transaction<Tables>, { instance, number }: FigureBatch, time: number) {
  const row = await query
    .insertInto('instances')
    .values({ id: instance, batch: number, started_at: time, seen_at: time, state: '' })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ batch: number }).where('instances.batch', '<', number),
    )
    .returning('batch')
    .executeTakeFirst();
  return row !== undefined;
}

/** @param now milliseconds since 1970 */
export function createFigureStore(query: Kysely<Tables>, now: () => number): FigureStore {
  const parts = ['subject', 'name', 'detail'] as const;
  const hourly = (subjects: readonly Subject[], hour: number) =>
    query.selectFrom('hourly_figures').where('subject', 'in', subjects).where('hour', '>=', hour);
  const daily = (subjects: readonly Subject[], day: number) =>
    query.selectFrom('daily_figures').where('subject', 'in', subjects).where('day', '>=', day);
  const toRow = <Row extends { subject: string; total: number | string }>(row: Row) => ({
    ...row,
    subject: row.subject as Subject,
    total: Number(row.total),
  });

  return {
    write: (batch) =>
      query.transaction().execute(async (transaction) => {
        if (!(await takeNumber(transaction, batch, now()))) return false;
        await addRows(transaction, batch.figures);
        return true;
      }),

    async expire() {
      const hour = Math.floor(now() / hourMs);
      await query
        .deleteFrom('hourly_figures')
        .where('subject', 'in', all)
        .where('hour', '<', hour - keptHours)
        .execute();
      await query
        .deleteFrom('daily_figures')
        .where('subject', 'in', all)
        .where('day', '<', Math.floor(hour / dayHours) - keptDays)
        .execute();
    },

    async sumHours(subjects, hour) {
      const rows = await hourly(subjects, hour)
        .select(({ fn }) => [...parts, fn.sum<number>('total').as('total')])
        .groupBy(parts)
        .execute();
      return rows.map(toRow);
    },

    async sumDays(subjects, day) {
      const rows = await daily(subjects, day)
        .select(({ fn }) => [...parts, fn.sum<number>('total').as('total')])
        .groupBy(parts)
        .execute();
      return rows.map(toRow);
    },

    async sumSpans(subjects, hours) {
      const first = Math.min(...hours);
      const rows = await hourly(subjects, first)
        .select([
          ...parts,
          ...hours.map((hour, at) =>
            sql<number>`sum(case when hour >= ${hour} then total else 0 end)`.as(`span${at}`),
          ),
        ])
        .groupBy(parts)
        .execute();
      return rows.map((row) => ({
        ...{ subject: row.subject as Subject, name: row.name, detail: row.detail },
        totals: hours.map((_, at) => Number((row as Readonly<Record<string, unknown>>)[`span${at}`])),
      }));
    },

    async sharesByHour(subject, hour, details) {
      const rows = await hourly([subject], hour)
        .select(({ fn, eb }) => [
          'name',
          'hour as at',
          fn.sum<number>('total').as('total'),
          fn
            .sum<number>(eb.case().when('detail', 'in', details).then(eb.ref('total')).else(0).end())
            .as('part'),
        ])
        .groupBy(['name', 'hour'])
        .execute();
      return rows.map(({ name, at, total, part }) => ({
        ...{ name, at: Number(at), total: Number(total), part: Number(part) },
      }));
    },

    async byHour(subject, hour) {
      const rows = await hourly([subject], hour)
        .select([...parts, 'hour as at', 'total'])
        .execute();
      return rows.map((row) => ({ ...toRow(row), at: Number(row.at) }));
    },

    async byDay(subject, day) {
      const rows = await daily([subject], day)
        .select([...parts, 'day as at', 'total'])
        .execute();
      return rows.map((row) => ({ ...toRow(row), at: Number(row.at) }));
    },
  };
}
