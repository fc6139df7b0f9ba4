import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** Devices that want notifications, the notifications, and what of them waits for another try. */
export const push: Migration = {
  name: '0005-push',
  async up({ schema }, engine) {
    await schema
      .createTable('push_subscriptions')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('endpoint', 'text', (column) => column.notNull().unique())
      .addColumn('auth', 'text', (column) => column.notNull())
      .addColumn('pdhkey', 'text', (column) => column.notNull())
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('diff_time', 'integer', (column) => column.notNull())
      .addColumn('device_model', 'text', (column) => column.notNull())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('explorer', 'text', (column) => column.notNull())
      .addColumn('explorer_version', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('push_messages')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('language', 'text')
      .addColumn('quiet', 'integer', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('reached', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('last', 'integer', (column) => column.notNull())
      .addColumn('is_open', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('owner', 'text')
      .addColumn('owned_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('sent', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('gone', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('given_up', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema
      .createIndex('push_messages_open')
      .on('push_messages')
      .column('id')
      .where(sql`is_open`, '=', sql.lit(1))
      .execute();
    await schema
      .createTable('push_retries')
      .addColumn('message_id', 'integer', (column) =>
        column.notNull().references('push_messages.id').onDelete('cascade'),
      )
      .addColumn('subscription_id', 'integer', (column) =>
        column.notNull().references('push_subscriptions.id').onDelete('cascade'),
      )
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('push_retries_key', ['message_id', 'subscription_id'])
      .execute();
    await schema
      .createIndex('push_retries_subscription')
      .on('push_retries')
      .column('subscription_id')
      .execute();
    await schema
      .createIndex('push_retries_due')
      .on('push_retries')
      .columns(['message_id', 'next_at'])
      .execute();
  },
};
