import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** How each scheduled backup ended. */
export const backups: Migration = {
  name: '0019-backups',
  async up({ schema }, engine) {
    await schema
      .createTable('backups')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('bytes', 'bigint')
      .addColumn('failure', 'text')
      .execute();
  },
};
