import { type Logger, pino } from 'pino';
import { type Environment, readEnvironment } from '../../process/environment.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { PictureFiles } from '../../stores/contracts/picture-files.ts';
import { openDatabase } from '../../stores/open/database.ts';
import { openPictureFiles } from '../../stores/open/file-stores.ts';
import { openObjectStore } from '../../stores/open/object-store.ts';
import { announceChange, type ChangeTopic } from '../../stores/open/redis.ts';
import { type Column, printJson, printRows } from './print.ts';

/** Logs trouble beside a command's own work on standard error. */
export const commandLog = (): Logger => pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true }));

/**
 * Does something with the site's database and closes it.
 * @param changes what running instances are told of afterwards, also when only a part was done
 */
export async function withDatabase<R>(
  task: (database: Database, environment: Environment) => Promise<R>,
  changes?: ChangeTopic,
): Promise<R> {
  const environment = readEnvironment(process.env);
  const logger = commandLog();
  const database = await openDatabase(environment, logger);
  try {
    return await task(database, environment);
  } finally {
    await database.close();
    if (changes !== undefined) await announceChange(environment, changes, logger);
  }
}

/** A column of a list, and its cells. */
type ListColumn<Row> = Column & { readonly of: (row: Row) => unknown };

/** A command that lists what the database has. */
export const listCommand =
  <Row>(read: (query: Database['query']) => Promise<readonly Row[]>, columns: readonly ListColumn<Row>[]) =>
  ({ json }: { json: boolean }): Promise<number> =>
    withDatabase(async ({ query }) => {
      const rows = await read(query);
      if (json) printJson(rows);
      else
        await printRows(
          columns,
          rows.map((row) => columns.map(({ of }) => of(row))),
        );
      return 0;
    });

/** Does something with the pictures of articles, authors and ads, wherever the environment has them. */
export async function withPictures<R>(
  database: Database,
  environment: Environment,
  task: (pictures: PictureFiles) => Promise<R>,
): Promise<R> {
  const objects = await openObjectStore(environment, commandLog());
  try {
    return await task(await openPictureFiles(database, objects));
  } finally {
    await objects?.close();
  }
}
