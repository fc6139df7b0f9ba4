import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Mails to visitors that say that their message arrived, by the message's number. */
export const acknowledgements: Migration = {
  name: '0007-acknowledgements',
  async up({ schema }) {
    await schema
      .createTable('acknowledgements')
      .addColumn('id', 'integer', (column) =>
        column.primaryKey().references('messages.id').onDelete('cascade'),
      )
      .addColumn('mailbox', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('mail_state', 'text', (column) => column.notNull())
      .addColumn('mail_attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('mail_next_at', 'bigint', (column) => column.notNull())
      .addColumn('mailed_at', 'bigint')
      .execute();
    await schema
      .createIndex('acknowledgements_waiting')
      .on('acknowledgements')
      .column('mail_next_at')
      .where(sql`mail_state`, '=', sql.lit('waiting'))
      .execute();
    await schema.createIndex('acknowledgements_made').on('acknowledgements').column('made_at').execute();
  },
};
