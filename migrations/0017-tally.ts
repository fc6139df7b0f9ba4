import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Engine, Migration } from './migration.ts';

/** Sums of other tables, as rows of the tally; those of equal names are added up. */
interface Copied {
  readonly from: RawBuilder<unknown>;
  readonly subject: string;
  readonly unit: 'hour' | 'day' | 'month';
  readonly at: RawBuilder<unknown>;
  readonly name?: RawBuilder<unknown>;
  readonly detail?: RawBuilder<unknown>;
  readonly total?: RawBuilder<unknown>;
  readonly lastAt?: RawBuilder<unknown>;
}

/** What the day, in the form `2026-11-22`, is called in the tally. */
const dayOf = (engine: Engine) =>
  engine === 'sqlite' ? sql`unixepoch(day) / 86400` : sql`(day::date - date '1970-01-01')`;
const monthOf = sql`(cast(substr(day, 1, 4) as integer) - 1970) * 12 + cast(substr(day, 6, 2) as integer) - 1`;

function copiesOf(engine: Engine): readonly Copied[] {
  const day = { unit: 'day', at: dayOf(engine) } as const;
  const month = { unit: 'month', at: monthOf } as const;
  const sums = (subject: string) => sql`daily_sums where subject = ${subject}`;
  const [name, detail] = [sql`name`, sql`detail`];
  return [
    ...[day, month].flatMap((unit) => [
      { ...unit, subject: 'view', from: sums('view'), name: sql`page` },
      { ...unit, subject: 'event', from: sums('event'), name, detail },
      { ...unit, subject: 'visitor', from: sums('visitor') },
      { ...unit, subject: 'visit', from: sums('visit') },
      {
        ...unit,
        subject: 'uncounted',
        from: sums('uncounted'),
        name,
        detail: sql`replace(detail, ' limit', '')`,
      },
    ]),
    {
      ...day,
      subject: 'view_from',
      from: sums('view'),
      name: sql`page`,
      detail: sql`locale || ' ' || device`,
    },
    {
      ...{ ...day, subject: 'event_page', from: sums('event') },
      ...{ name: sql`page`, detail: sql`trim(name || ' ' || detail)` },
    },
    {
      ...day,
      subject: 'download_device',
      from: sums('download'),
      name,
      detail: sql`detail || ' ' || device`,
    },
    ...(['exposure', 'conversion'] as const).map((subject) => {
      const total = sql.ref(`${subject}s`);
      return {
        ...{ ...day, subject, from: sql`experiment_days where ${total} > 0`, total },
        ...{ name: sql`experiment`, detail: sql`variant` },
      };
    }),
    ...['succeeded', 'failed'].map((outcome) => ({
      ...({ unit: 'hour', at: sql`hour`, subject: 'outcome', total: sql.ref(outcome) } as const),
      ...{ from: sql`outcomes where ${sql.ref(outcome)} > 0`, name: sql`kind`, detail: sql`${outcome}` },
    })),
    ...['failed', 'limited'].map((kind) => ({
      ...({
        unit: 'day',
        at: sql`day`,
        subject: 'log_in',
        total: sql.ref(kind),
        lastAt: sql`last_at`,
      } as const),
      ...{ from: sql`operator_tries where ${sql.ref(kind)} > 0`, name: sql`block`, detail: sql`${kind}` },
    })),
    {
      ...{ unit: 'hour', at: sql`hour`, subject: 'refused', total: sql`count` },
      ...{ from: sql`hourly_counts where name like 'refused %'`, name: sql`substr(name, 9)` },
    },
    {
      ...{ unit: 'hour', at: sql`hour`, subject: 'limited', total: sql`count` },
      ...{ from: sql`hourly_counts where name not like 'refused %'`, name },
    },
  ];
}

/** Figures have the form of the tally already. Those of visitors were copied from the sums of statistics. */
const unitTables = { hourly_figures: 'hour', daily_figures: 'day', monthly_figures: 'month' };

async function copyAll(database: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const { from, subject, unit, at, name, detail, total, lastAt } of copiesOf(engine))
    await sql`insert into tally (subject, unit, at, name, detail, total, last_at)
      select ${subject}, ${unit}, ${at}, ${name ?? sql`''`}, ${detail ?? sql`''`},
        sum(${total ?? sql`total`}), max(${lastAt ?? sql`0`})
      from ${from} group by 3, 4, 5`.execute(database);
  for (const [table, unit] of Object.entries(unitTables))
    await sql`insert into tally (subject, unit, at, name, detail, total, last_at)
      select subject, ${unit}, at, name, detail, total, 0 from ${sql.table(table)}
      where subject not in ('view', 'event', 'visitor', 'visit')`.execute(database);
  const { rows } = await sql<{ name: string; requests: number; used_at: number }>`
    select name, requests, used_at from api_keys where used_at is not null`.execute(database);
  for (const { name, requests, used_at } of rows) {
    const used = new Date(Number(used_at));
    const month = (used.getUTCFullYear() - 1970) * 12 + used.getUTCMonth();
    await sql`insert into tally (subject, unit, at, name, detail, total, last_at)
      values ('api_key', 'month', ${month}, ${name}, '', ${requests}, ${used_at})`.execute(database);
  }
}

/** One store for everything that is counted, in place of eight tables and three columns. */
export const tally: Migration = {
  name: '0017-tally',
  async up(database, engine) {
    const { schema } = database;
    await schema
      .createTable('tally')
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('unit', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      // Readers ask for one subject from a time on: a range of the key.
      .addPrimaryKeyConstraint('tally_key', ['subject', 'unit', 'at', 'name', 'detail'])
      // Sums stand in the key's own tree, so that reading a range looks nothing up.
      .$call((made) => (engine === 'sqlite' ? made.modifyEnd(sql`without rowid`) : made))
      .execute();
    await schema
      .createTable('tally_writers')
      .addColumn('writer', 'text', (column) => column.primaryKey())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('written_at', 'bigint', (column) => column.notNull())
      .execute();
    await copyAll(database, engine);
    for (const table of [
      ...['daily_sums', 'experiment_days', 'outcomes', 'operator_tries', 'hourly_counts'],
      ...Object.keys(unitTables),
    ])
      await schema.dropTable(table).execute();
    for (const column of ['requests', 'used_at'])
      await schema.alterTable('api_keys').dropColumn(column).execute();
    await schema.alterTable('instances').dropColumn('batch').execute();
  },
};
