import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** What an import passes over without reading it again, and the mark of the import that runs. */
export const imports: Migration = {
  name: '0003-imports',
  async up(database) {
    const { schema } = database;
    await schema
      .alterTable('articles')
      .addColumn('source', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema
      .createTable('imports')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('owner', 'text')
      .addColumn('beats', 'bigint', (column) => column.notNull())
      .addColumn('unfinished', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into imports (id, owner, beats, unfinished) values (1, null, 0, 0)`.execute(database);
  },
};
