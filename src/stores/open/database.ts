import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Environment, EnvironmentError } from '../../process/environment.ts';
import type { Database } from '../contracts/database.ts';
import { openSqliteDatabase } from '../embedded/sqlite-database.ts';
import { migrate } from '../migrate.ts';
import { prepareDataFolder } from './data-folder.ts';

type Place = Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>;

/** A visitor waits no longer than this for the database: what cannot be had by then is told to be away. */
const answerMs = 2000;
/** A new connection takes milliseconds where there is anybody to connect to. */
const connectMs = 1500;

/** @param hurried for answers to visitors; otherwise everything takes the time that it needs */
async function open({ DATABASE_URL, DATA_DIR }: Place, logger: Logger, hurried: boolean): Promise<Database> {
  if (DATABASE_URL === undefined) {
    prepareDataFolder(DATA_DIR);
    return openSqliteDatabase(join(DATA_DIR, 'clipferry.db'), ...(hurried ? [answerMs] : []));
  }
  // Imported only where it is asked for: most sites never load the driver.
  const { openPostgresqlDatabase } = await import('../scale-out/postgresql-database.ts');
  try {
    return await openPostgresqlDatabase(DATABASE_URL, {
      onError: (error) => logger.warn({ err: error }, 'a connection to the database broke'),
      ...(hurried && { patience: { connectMs, answerMs } }),
    });
  } catch (error) {
    throw new EnvironmentError(`DATABASE_URL: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Opens the database that the environment names and brings its tables up to date: for commands, which wait for what
 * others do to it.
 * @throws EnvironmentError when it cannot be reached; Error when a newer version made it
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
 * Opens the database for answers to visitors, of which none waits for it longer than two seconds.
 * @param fill called before, with as much time as it needs
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
