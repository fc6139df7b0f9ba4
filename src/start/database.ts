import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../stores/contracts/database.ts';
import { openSqliteDatabase } from '../stores/embedded/sqlite-database.ts';
import { type Environment, EnvironmentError } from './environment.ts';
import { migrate } from './migrate.ts';

async function open(
  { DATABASE_URL, DATA_DIR }: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>,
  logger: Logger,
): Promise<Database> {
  if (DATABASE_URL === undefined) {
    mkdirSync(DATA_DIR, { recursive: true });
    return openSqliteDatabase(join(DATA_DIR, 'clipferry.db'));
  }
  // Imported only where it is asked for: most sites never load the driver.
  const { openPostgresqlDatabase } = await import('../stores/scale-out/postgresql-database.ts');
  try {
    return await openPostgresqlDatabase(DATABASE_URL, {
      onError: (error) => logger.warn({ err: error }, 'a connection to the database broke'),
    });
  } catch (error) {
    throw new EnvironmentError(`DATABASE_URL: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Opens the database that the environment names and brings its tables up to date.
 * @throws EnvironmentError when it cannot be reached; Error when a newer version made it
 */
export async function openDatabase(
  environment: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>,
  logger: Logger,
): Promise<Database> {
  const database = await open(environment, logger);
  try {
    const steps = await migrate(database);
    if (steps.length > 0) logger.info({ steps, engine: database.engine }, 'database brought up to date');
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
