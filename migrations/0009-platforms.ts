import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Names of posts and authors that are taken down begin with their platform; so far there was but one. */
export const platforms: Migration = {
  name: '0009-platforms',
  async up(database) {
    await sql`update takedowns set name = 'tiktok/' || name`.execute(database);
  },
};
