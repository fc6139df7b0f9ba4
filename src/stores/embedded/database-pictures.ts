import type { Kysely } from 'kysely';
import type { Tables } from '../contracts/database.ts';
import type { PictureFile, PictureFiles } from '../contracts/picture-files.ts';

/** Pictures in the database itself. */
export function createDatabasePictures(query: Kysely<Tables>): PictureFiles {
  return {
    async read({ id, width, format }) {
      const row = await query
        .selectFrom('pictures')
        .select('bytes')
        .where('id', '=', id)
        .where('width', '=', width)
        .where('format', '=', format)
        .executeTakeFirst();
      return row?.bytes ?? null;
    },

    async write(files) {
      if (files.length === 0) return;
      const rows = files.map(({ id, width, format, bytes }: PictureFile) => ({ id, width, format, bytes }));
      await query
        .insertInto('pictures')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async ids() {
      const rows = await query.selectFrom('pictures').select('id').distinct().execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}
