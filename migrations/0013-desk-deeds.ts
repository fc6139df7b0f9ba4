import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** Answers to messages; reasons, ends and a log of takedowns; switches of promotions. */
export const deskDeeds: Migration = {
  name: '0013-desk-deeds',
  async up({ schema }, engine) {
    await schema
      .createTable('message_answers')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('message_id', 'integer', (column) =>
        column.notNull().references('messages.id').onDelete('cascade'),
      )
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('mail_state', 'text', (column) => column.notNull())
      .addColumn('mail_attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('mail_next_at', 'bigint', (column) => column.notNull())
      .addColumn('mailed_at', 'bigint')
      .execute();
    await schema
      .createIndex('message_answers_waiting')
      .on('message_answers')
      .column('mail_next_at')
      .where(sql`mail_state`, '=', sql.lit('waiting'))
      .execute();
    await schema
      .createIndex('message_answers_of_message')
      .on('message_answers')
      .column('message_id')
      .execute();
    await schema
      .alterTable('takedowns')
      .addColumn('reason', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema.alterTable('takedowns').addColumn('ends_at', 'bigint').execute();
    await schema
      .createTable('promotion_switches')
      .addColumn('kind', 'text', (column) => column.notNull().primaryKey())
      .addColumn('off_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('takedown_log')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('deed', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('ends_at', 'bigint')
      .execute();
  },
};
