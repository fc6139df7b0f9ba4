import { commandLog } from '../../server/commands/stores.ts';
import type { Database } from '../../stores/contracts/database.ts';

/** Opens a PostgreSQL database as it is, without migrating it. @throws Error when it is unreachable */
export async function openPostgresql(url: string): Promise<Database> {
  const { openPostgresqlDatabase } = await import('../../stores/scale-out/postgresql-database.ts');
  return openPostgresqlDatabase(url, {
    onError: (error) => commandLog().warn({ err: error }, 'a connection to the database broke'),
  });
}

/** The same for a task, after which it is closed. */
export async function withPostgresql<R>(url: string, task: (database: Database) => Promise<R>): Promise<R> {
  const database = await openPostgresql(url);
  try {
    return await task(database);
  } finally {
    await database.close();
  }
}
