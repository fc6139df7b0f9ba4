import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Articles that the operator took back, or has not shown yet. */
export const unpublished: Migration = {
  name: '0016-unpublished',
  async up({ schema }) {
    await schema.alterTable('articles').addColumn('unpublished_at', 'bigint').execute();
    await schema
      .createIndex('articles_unpublished')
      .on('articles')
      .column('key')
      .where(sql`unpublished_at`, 'is not', null)
      .execute();
  },
};
