import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Environment } from '../../process/environment.ts';
import { EnvironmentError } from '../../process/variables.ts';
import type { Database } from '../contracts/database.ts';
import { openSqliteDatabase } from '../embedded/sqlite-database.ts';
import { migrate } from '../migrate.ts';
import { prepareDataFolder } from './data-folder.ts';

/** The database cannot be opened. */
export class DatabaseNotOpened extends EnvironmentError {}

type Place = Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>;

/** Longest time a visitor waits for the database; after it the database is reported unavailable. */
const responseMs = 2000;
/** A new connection takes milliseconds if the server is reachable. */
const connectMs = 1500;

/** @param hurried for answers to visitors; otherwise everything takes the time that it needs */
async function open({ DATABASE_URL, DATA_DIR }: Place, logger: Logger, hurried: boolean): Promise<Database> {
  if (DATABASE_URL === undefined) {
    prepareDataFolder(DATA_DIR);
    const file = join(DATA_DIR, 'clipferry.db');
    try {
      return openSqliteDatabase(file, ...(hurried ? [responseMs] : []));
    } catch (error) {
      throw new DatabaseNotOpened(`DATA_DIR: ${file}: ${(error as Error).message}`, { cause: error });
    }
  }
  // Imported on demand: most sites never load the driver.
  const { openPostgresqlDatabase } = await import('../scale-out/postgresql-database.ts');
  try {
    return await openPostgresqlDatabase(DATABASE_URL, {
      onError: (error) => logger.warn({ err: error }, 'a connection to the database broke'),
      ...(hurried && { patience: { connectMs, answerMs: responseMs } }),
    });
  } catch (error) {
    throw new DatabaseNotOpened(`DATABASE_URL: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Opens the database that the environment names and migrates its schema: for commands, which wait for other writers.
 * @throws DatabaseNotOpened when it is unreachable; Error when a newer version made it
 */
export async function openDatabase(environment: Place, logger: Logger): Promise<Database> {
  const database = await open(environment, logger, false);
  try {
    const steps = await migrate(database);
    if (steps.length > 0) logger.info({ steps, engine: database.engine }, 'database brought up to date');
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens the database for responses to visitors, none of which waits for it longer than two seconds.
 * @param fill called first, without a time limit
 * @throws as {@link openDatabase}
 */
export async function openSiteDatabase(
  environment: Place,
  logger: Logger,
  fill: (database: Database) => Promise<void>,
): Promise<Database> {
  const database = await openDatabase(environment, logger);
  try {
    await fill(database);
  } finally {
    await database.close();
  }
  return open(environment, logger, true);
}
