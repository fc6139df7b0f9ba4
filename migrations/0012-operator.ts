import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** The operator's desk: who is logged in, what was done there, and who tried to get in. */
export const operator: Migration = {
  name: '0012-operator',
  async up({ schema }, engine) {
    await schema
      .createTable('operator_log')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('instance', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('object', 'text', (column) => column.notNull())
      .addColumn('block', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('operator_sessions')
      .addColumn('hash', 'text', (column) => column.notNull().primaryKey())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('block', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('operator_tries')
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('block', 'text', (column) => column.notNull())
      .addColumn('failed', 'bigint', (column) => column.notNull())
      .addColumn('limited', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('operator_tries_of_day', ['day', 'block'])
      .execute();
  },
};
