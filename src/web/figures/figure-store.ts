import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { subjects as all, type Subject } from './subjects.ts';
import { startOf, type Unit, unitOf, unitTables } from './units.ts';
import type { HourFigure } from './waiting-figures.ts';

/** Hours are kept for a month, days and months for a year and a month. */
const kept: Readonly<Record<Unit, number>> = { hour: 31 * 24, day: 396, month: 13 };

/** So many rows a statement writes: PostgreSQL and SQLite take more values in one than these have. */
const rowsAtOnce = 200;

/** What an instance writes at once. Its number makes sure that it is counted once, however often it is sent. */
export interface FigureBatch {
  readonly instance: string;
  /** Grows by one from batch to batch of an instance. */
  readonly number: number;
  readonly figures: readonly HourFigure[];
}

/** A sum by name and detail. */
export interface FigureRow {
  readonly subject: Subject;
  readonly name: string;
  readonly detail: string;
  readonly total: number;
}

/** A sum of an hour, day or month, and how much of it has one of some details. */
export interface PartRow {
  /** Hours, days or months since 1970. */
  readonly at: number;
  readonly total: number;
  readonly part: number;
}

/** Sums of all instances together. Every span begins with an hour, day or month since 1970, and ends now. */
export interface FigureStore {
  /** Adds a batch to its hours, days and months, once. @returns false when it was written before */
  write(batch: FigureBatch): Promise<boolean>;
  /** Deletes what is of long ago. */
  expire(): Promise<void>;
  /** Sums of several subjects. */
  sums(unit: Unit, subjects: readonly Subject[], from: number): Promise<readonly FigureRow[]>;
  /** Sums of each hour, day or month, and how much of them has one of these details. */
  overTime(
    unit: Unit,
    subject: Subject,
    from: number,
    details: readonly string[],
  ): Promise<readonly PartRow[]>;
  /** The same by name. */
  namesOverTime(
    unit: Unit,
    subject: Subject,
    from: number,
    details: readonly string[],
  ): Promise<readonly (PartRow & { readonly name: string })[]>;
}

/** The figures as they stand in a unit's table. */
function toUnit(figures: readonly HourFigure[], unit: Unit): Tables['hourly_figures'][] {
  const rows = new Map<string, Tables['hourly_figures']>();
  for (const { hour, ...figure } of figures) {
    const at = unitOf(unit, startOf('hour', hour));
    const key = [figure.subject, at, figure.name, figure.detail].join('\n');
    rows.set(key, { ...figure, at, total: figure.total + (rows.get(key)?.total ?? 0) });
  }
  return [...rows.values()];
}

async function addRows(
  query: Transaction<Tables>,
  figures: readonly HourFigure[],
  unit: Unit,
): Promise<void> {
  const table = tableOf(unit);
  const rows = toUnit(figures, unit);
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await query
      .insertInto(table)
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['subject', 'at', 'name', 'detail'])
          .doUpdateSet({ total: sql`${sql.ref(`${table}.total`)} + excluded.total` }),
      )
      .execute();
}

/** All tables have one form; the compiler needs to hear of one only. */
const tableOf = (unit: Unit) => unitTables[unit] as 'hourly_figures';

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

const units = Object.keys(unitTables) as Unit[];

/** @param now milliseconds since 1970 */
export function createFigureStore(query: Kysely<Tables>, now: () => number): FigureStore {
  const since = (unit: Unit, subject: Subject, from: number) =>
    query.selectFrom(tableOf(unit)).where('subject', '=', subject).where('at', '>=', from);
  /** SQLite runs in this thread: visitors have their turn before each reading, which is of one subject. */
  const afterVisitors = () => nextTurn();
  /** With nothing to look for there is no part, and no statement may say "in ()". */
  const partOf = (details: readonly string[]) =>
    details.length === 0
      ? sql<number>`0`
      : sql<number>`sum(case when detail in (${sql.join(details)}) then total else 0 end)`;

  return {
    write: (batch) =>
      query.transaction().execute(async (transaction) => {
        if (!(await takeNumber(transaction, batch, now()))) return false;
        for (const unit of units) await addRows(transaction, batch.figures, unit);
        return true;
      }),

    async expire() {
      for (const unit of units)
        await query
          .deleteFrom(tableOf(unit))
          .where('subject', 'in', all)
          .where('at', '<', unitOf(unit, now()) - kept[unit])
          .execute();
    },

    async sums(unit, subjects, from) {
      const parts = ['name', 'detail'] as const;
      const found: FigureRow[] = [];
      for (const subject of subjects) {
        await afterVisitors();
        const rows = await since(unit, subject, from)
          .select(({ fn }) => [...parts, fn.sum<number>('total').as('total')])
          .groupBy(parts)
          .execute();
        found.push(...rows.map((row) => ({ ...row, subject, total: Number(row.total) })));
      }
      return found;
    },

    async overTime(unit, subject, from, details) {
      await afterVisitors();
      const rows = await since(unit, subject, from)
        .select(({ fn }) => ['at', fn.sum<number>('total').as('total'), partOf(details).as('part')])
        .groupBy('at')
        .execute();
      return rows.map(({ at, total, part }) => ({ at, total: Number(total), part: Number(part) }));
    },

    async namesOverTime(unit, subject, from, details) {
      await afterVisitors();
      const rows = await since(unit, subject, from)
        .select(({ fn }) => ['name', 'at', fn.sum<number>('total').as('total'), partOf(details).as('part')])
        .groupBy(['name', 'at'])
        .execute();
      return rows.map(({ name, at, total, part }) => ({
        ...{ name, at, total: Number(total), part: Number(part) },
      }));
    },
  };
}
