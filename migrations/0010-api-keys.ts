import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** Keys of programs that use the API with limits of their own. */
export const apiKeys: Migration = {
  name: '0010-api-keys',
  async up({ schema }, engine) {
    await schema
      .createTable('api_keys')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('times', 'integer', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .addColumn('requests', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('used_at', 'bigint')
      .execute();
  },
};
