import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Sums of what the site does by hour, day and month, forms of posts that are new, and how every instance fares. */
export const figures: Migration = {
  name: '0014-figures',
  async up({ schema }, engine) {
    for (const table of ['hourly_figures', 'daily_figures', 'monthly_figures'])
      await schema
        .createTable(table)
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('detail', 'text', (column) => column.notNull())
        .addColumn('total', 'bigint', (column) => column.notNull())
        // A page reads one subject from a time on: a range of the key.
        .addPrimaryKeyConstraint(`${table}_key`, ['subject', 'at', 'name', 'detail'])
        // Sums stand in the key's own tree, so that reading a range looks nothing up.
        .$call((made) => (engine === 'sqlite' ? made.modifyEnd(sql`without rowid`) : made))
        .execute();
    await schema
      .createTable('post_shapes')
      .addColumn('strategy', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('first_seen', 'bigint', (column) => column.notNull())
      .addColumn('last_seen', 'bigint', (column) => column.notNull())
      .addColumn('example', 'text', (column) => column.notNull())
      .addColumn('is_usual', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('post_shapes_key', ['strategy', 'kind', 'name'])
      .execute();
    await schema
      .createTable('instances')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('batch', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .execute();
  },
};
