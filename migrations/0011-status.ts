import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** How well the site works, by hour, and what the operator says about troubles. */
export const status: Migration = {
  name: '0011-status',
  async up({ schema }, engine) {
    await schema
      .createTable('outcomes')
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('succeeded', 'bigint', (column) => column.notNull())
      .addColumn('failed', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('outcomes_of_hour', ['hour', 'kind'])
      .execute();
    await schema
      .createTable('incidents')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .execute();
  },
};
