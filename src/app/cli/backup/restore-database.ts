import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Environment } from '../../../process/environment.ts';
import { commandLog } from '../../../server/commands/stores.ts';
import type { Database } from '../../../stores/contracts/database.ts';
import type { ObjectStore } from '../../../stores/contracts/object-store.ts';
import { contentTypeOf } from '../../../stores/contracts/picture-files.ts';
import { openSqliteDatabase } from '../../../stores/embedded/sqlite-database.ts';
import { migrate } from '../../../stores/migrate.ts';
import { openObjectStore } from '../../../stores/open/object-store.ts';
import { openPostgresql } from '../postgresql.ts';
import type { Manifest } from './archive.ts';
import { inspectSqlite, placeSqlite, refuseOpenDatabase } from './sqlite-copy.ts';

/**
 * Removes from a restored database what belonged to the people and processes of the machine that was backed up: sessions
 * of the desk, which may have been ended since, leases and instances, and messages that were sent after
 * the backup. Visitors' mails stay: twice is better than never.
 */
export async function leaveBehind({ query }: Pick<Database, 'query'>): Promise<void> {
  await query.transaction().execute(async (transaction) => {
    for (const table of ['operator_sessions', 'leases', 'instances'])
      await sql`delete from ${sql.table(table)}`.execute(transaction);
    await sql`update alarm_messages set state = 'failed' where state = 'waiting'`.execute(transaction);
    await sql`update push_messages set is_open = 0`.execute(transaction);
  });
}

/** An unpacked archive, and where it is to go. */
interface Unpacked {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly environment: Environment;
  readonly replace: boolean;
}

/** The restore's effect on the database. */
export interface RestoredDatabase {
  /** Steps of the schema that were taken. */
  readonly migrated: readonly string[];
  /** How many files of pictures came from the archive itself. */
  readonly pictures: number;
  readonly picturesIn: 'S3' | 'the database';
}

/** Writes the pictures that were in S3 into the store, or where there is none into the database. */
async function restorePictures(
  { query }: Database,
  objects: ObjectStore | null,
  { folder, manifest }: Unpacked,
): Promise<number> {
  const names = manifest.files.map(({ name }) => name).filter((name) => name.startsWith('pictures/'));
  for (const key of names) {
    const bytes = await readFile(join(folder, key));
    const [, id = '', width = '', format = ''] = /^pictures\/(.+)-(\d+)\.([a-z]+)$/.exec(key) ?? [];
    if (objects !== null) await objects.put(key, bytes, { contentType: contentTypeOf(format) });
    else
      await query
        .updateTable('pictures')
        .set({ bytes })
        .where('id', '=', id)
        .where('width', '=', Number(width))
        .where('format', '=', format)
        .execute();
  }
  return names.length;
}

async function withObjects<R>(
  environment: Environment,
  task: (objects: ObjectStore | null) => Promise<R>,
): Promise<R> {
  const objects = await openObjectStore(environment, commandLog());
  try {
    if (objects?.isAway) throw new Error(`${objects.name} does not answer: nothing was changed`);
    return await task(objects);
  } finally {
    await objects?.close();
  }
}

/** Brings a database up to date and gives it its pictures. */
async function complete(
  database: Database,
  objects: ObjectStore | null,
  unpacked: Unpacked,
): Promise<RestoredDatabase> {
  const migrated = await migrate(database);
  await leaveBehind(database);
  const pictures = await restorePictures(database, objects, unpacked);
  return { migrated, pictures, picturesIn: objects === null ? 'the database' : 'S3' };
}

/** The target of a restored database. */
interface Place {
  /** @throws Error when data is there that may not be replaced, or is in use */
  check(): Promise<void>;
  /** Puts a complete copy there: all of it, or nothing. */
  put(copy: string): Promise<void>;
  close(): Promise<void>;
}

function sqlitePlace({ environment, replace }: Unpacked): Place {
  const path = join(environment.DATA_DIR, 'clipferry.db');
  return {
    async check() {
      if (existsSync(path) && !replace)
        throw new Error(
          `${environment.DATA_DIR} is not empty: it has a database. --replace replaces all data that is there`,
        );
      refuseOpenDatabase(path);
    },
    put: (copy) => placeSqlite(copy, path),
    close: async () => {},
  };
}

async function postgresqlPlace(url: string, replace: boolean): Promise<Place> {
  const { checkPostgresqlPlace, placePostgresql } = await import('./postgresql-copy.ts');
  const database = await openPostgresql(url);
  return {
    check: () => checkPostgresqlPlace(database.query, replace),
    put: (copy) => placePostgresql(database, copy, replace),
    close: () => database.close(),
  };
}

/** Completes the copy of the archive, and puts it into the database of the environment when all is done. */
export async function restoreDatabase(unpacked: Unpacked): Promise<RestoredDatabase> {
  const { folder, environment, replace } = unpacked;
  const copy = join(folder, 'database.sqlite');
  inspectSqlite(copy);
  const { DATABASE_URL: url } = environment;
  const place = url === undefined ? sqlitePlace(unpacked) : await postgresqlPlace(url, replace);
  try {
    await place.check();
    return await withObjects(environment, async (objects) => {
      const database = openSqliteDatabase(copy);
      const restored = await complete(database, objects, unpacked).finally(() => database.close());
      // One file again, without a log of writes beside it.
      inspectSqlite(copy);
      await place.put(copy);
      return restored;
    });
  } finally {
    await place.close();
  }
}
