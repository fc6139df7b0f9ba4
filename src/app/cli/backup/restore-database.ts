import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../../process/environment.ts';
import type { Database } from '../../../stores/contracts/database.ts';
import type { ObjectStore } from '../../../stores/contracts/object-store.ts';
import { openSqliteDatabase } from '../../../stores/embedded/sqlite-database.ts';
import { migrate } from '../../../stores/migrate.ts';
import { openObjectStore } from '../../../stores/open/object-store.ts';
import { commandLog } from '../../../web/commands/stores.ts';
import { leaveBehind } from './leave-behind.ts';
import type { Manifest } from './manifest.ts';
import { inspectSqlite, placeSqlite, refuseOpenDatabase } from './sqlite-copy.ts';

/** An unpacked archive, and where it is to go. */
interface Unpacked {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly environment: Environment;
  readonly replace: boolean;
}

/** What was done to the database. */
export interface RestoredDatabase {
  /** Steps of the schema that were taken. */
  readonly migrated: readonly string[];
  /** How many files of pictures came from the archive itself. */
  readonly pictures: number;
  readonly picturesIn: 'S3' | 'the database';
}

const types: Readonly<Record<string, string>> = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' };

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
    if (objects !== null)
      await objects.put(key, bytes, { contentType: types[format] ?? 'application/octet-stream' });
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

/** Completes the copy beside its place, and puts it there when all is done. */
export async function restoreSqlite(unpacked: Unpacked): Promise<RestoredDatabase> {
  const { folder, environment, replace } = unpacked;
  const place = join(environment.DATA_DIR, 'clipferry.db');
  if (existsSync(place) && !replace)
    throw new Error(
      `${environment.DATA_DIR} is not empty: it has a database. --replace replaces all data that is there`,
    );
  const copy = join(folder, 'database.sqlite');
  inspectSqlite(copy);
  refuseOpenDatabase(place);
  return withObjects(environment, async (objects) => {
    const database = openSqliteDatabase(copy);
    const restored = await complete(database, objects, unpacked).finally(() => database.close());
    // One file again, without a log of writes beside it.
    inspectSqlite(copy);
    await placeSqlite(copy, place);
    return restored;
  });
}

/** Writes the dump into the database that `DATABASE_URL` names. */
export async function restorePostgresql(unpacked: Unpacked): Promise<RestoredDatabase> {
  const { folder, manifest, environment, replace } = unpacked;
  const { DATABASE_URL = '' } = environment;
  const [{ openPostgresqlDatabase }, postgresql] = await Promise.all([
    import('../../../stores/scale-out/postgresql-database.ts'),
    import('./postgresql-copy.ts'),
  ]);
  return withObjects(environment, async (objects) => {
    const database = await openPostgresqlDatabase(DATABASE_URL, {
      onError: (error) => commandLog().warn({ err: error }, 'a connection to the database broke'),
    });
    try {
      const isFilled = await postgresql.checkPostgresqlPlace(database, manifest.database);
      if (isFilled && !replace)
        throw new Error('The database is not empty. --replace replaces all data that is there');
      if (isFilled) await postgresql.refuseOtherConnections(database);
      const dump = join(folder, 'database.pgdump');
      await postgresql.placePostgresql(database, DATABASE_URL, { dump, scratch: folder });
      return await complete(database, objects, unpacked);
    } finally {
      await database.close();
    }
  });
}
