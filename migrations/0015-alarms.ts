import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** What the operator is told of, and which instance tells it. */
export const alarms: Migration = {
  name: '0015-alarms',
  async up({ schema }, engine) {
    await schema
      .createTable('leases')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('owned_until', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('alarms')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('condition', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('told_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .execute();
    await schema
      .createTable('alarm_messages')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('alarm_id', 'integer', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('alarm_messages_state').on('alarm_messages').column('state').execute();
  },
};
