import { type Kysely, sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Further tries are no rows any more: what waited for one counts as given up. */
async function dropPushRetries(database: Kysely<unknown>): Promise<void> {
  await sql`update push_messages set given_up = given_up +
    (select count(*) from push_retries where push_retries.message_id = push_messages.id)`.execute(database);
  await sql`update push_messages set is_open = 0 where reached >= last`.execute(database);
  await database.schema.dropTable('push_retries').execute();
  await database.schema.alterTable('push_messages').dropColumn('quiet').execute();
}

/**
 * Bounds of queues: tries of a batch of notifications, devices that cannot be reached any more, one acknowledgement for
 * each mailbox, and counts by the hour.
 */
export const bounds: Migration = {
  name: '0008-bounds',
  async up(database) {
    const { schema } = database;
    await dropPushRetries(database);
    await schema
      .alterTable('push_messages')
      .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('push_subscriptions').addColumn('failing_since', 'bigint').execute();
    await sql`delete from acknowledgements where id not in (select min(id) from acknowledgements group by mailbox)`.execute(
      database,
    );
    await schema
      .createIndex('acknowledgements_mailbox')
      .on('acknowledgements')
      .column('mailbox')
      .unique()
      .execute();
    await schema.createIndex('messages_made').on('messages').column('made_at').execute();
    await schema
      .createTable('hourly_counts')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('hourly_counts_key', ['name', 'hour'])
      .execute();
  },
};
