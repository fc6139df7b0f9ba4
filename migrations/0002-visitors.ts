import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** What visitors write to the operator, and what the operator takes down. */
export const visitors: Migration = {
  name: '0002-visitors',
  async up({ schema }, engine) {
    await schema
      .createTable('messages')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('form', 'text', (column) => column.notNull())
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('fields', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('mail_state', 'text', (column) => column.notNull())
      .addColumn('mail_attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('mail_next_at', 'bigint', (column) => column.notNull())
      .addColumn('mailed_at', 'bigint')
      .execute();
    await schema
      .createIndex('messages_waiting')
      .on('messages')
      .column('mail_next_at')
      .where(sql`mail_state`, '=', sql.lit('waiting'))
      .execute();
    await schema
      .createTable('takedowns')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('takedowns_subject', ['kind', 'name'])
      .execute();
  },
};
