import type { Migration } from './migration.ts';

/** One form of rows that wait to be sent, and one table of leases. */
export const outbox: Migration = {
  name: '0018-outbox',
  async up({ schema }) {
    const names = {
      ...{ mail_state: 'state', mail_attempts: 'attempts' },
      ...{ mail_next_at: 'next_at', mailed_at: 'sent_at' },
    };
    for (const table of ['messages', 'acknowledgements', 'message_answers'])
      for (const [before, after] of Object.entries(names))
        await schema.alterTable(table).renameColumn(before, after).execute();
    await schema.alterTable('alarm_messages').addColumn('sent_at', 'bigint').execute();
    for (const column of ['owner', 'owned_until'])
      await schema.alterTable('push_messages').dropColumn(column).execute();
    for (const column of ['owner', 'beats']) await schema.alterTable('imports').dropColumn(column).execute();
  },
};
