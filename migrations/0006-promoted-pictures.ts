import type { Migration } from './migration.ts';

/** The pictures of ads, by the place that the site configuration names. */
export const promotedPictures: Migration = {
  name: '0006-promoted-pictures',
  async up({ schema }) {
    await schema
      .createTable('promoted_pictures')
      .addColumn('source', 'text', (column) => column.primaryKey())
      .addColumn('picture', 'text', (column) => column.notNull())
      .execute();
  },
};
