import type { Migration } from './migration.ts';
import { numbered } from './numbered-column.ts';

/** What visitors who agreed report, and sums that identify nobody. */
export const statistics: Migration = {
  name: '0004-statistics',
  async up({ schema }, engine) {
    await schema
      .createTable('reports')
      .addColumn('id', 'integer', numbered(engine))
      .addColumn('upload_id', 'text', (column) => column.notNull().unique())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('page', 'text', (column) => column.notNull())
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('device', 'text', (column) => column.notNull())
      .addColumn('browser', 'text', (column) => column.notNull())
      .addColumn('system', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('reports_by_token').on('reports').column('token').execute();
    await schema
      .createTable('forgotten_tokens')
      .addColumn('token', 'text', (column) => column.primaryKey())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('daily_sums')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('page', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('device', 'text', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('daily_sums_key', [
        'day',
        'subject',
        'page',
        'name',
        'detail',
        'locale',
        'device',
      ])
      .execute();
    await schema
      .createTable('experiment_visits')
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('experiment', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('variant', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('converted', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('experiment_visits_key', ['session', 'experiment'])
      .execute();
    await schema.createIndex('experiment_visits_by_age').on('experiment_visits').column('made_at').execute();
    await schema.createIndex('experiment_visits_by_token').on('experiment_visits').column('token').execute();
    await schema
      .createTable('experiment_days')
      .addColumn('experiment', 'text', (column) => column.notNull())
      .addColumn('variant', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('exposures', 'bigint', (column) => column.notNull())
      .addColumn('conversions', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('experiment_days_key', ['experiment', 'variant', 'day'])
      .execute();
  },
};
