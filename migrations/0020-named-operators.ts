import type { Migration } from './migration.ts';

/** Which operator did what, and the newest code of each one's second factor. */
export const namedOperators: Migration = {
  name: '0020-named-operators',
  async up({ schema }) {
    await schema
      .alterTable('operator_log')
      .addColumn('operator', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema
      .alterTable('operator_sessions')
      .addColumn('operator', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema
      .alterTable('operator_sessions')
      .addColumn('credential', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema
      .createTable('operator_codes')
      .addColumn('operator', 'text', (column) => column.notNull().primaryKey())
      .addColumn('step', 'bigint', (column) => column.notNull())
      .execute();
  },
};
