import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Database, Tables } from '../contracts/database.ts';
import { createPostgresqlPool, type Patience } from './postgresql-pool.ts';

/** The database's settings besides its address. */
export interface PostgresqlOptions {
  /** Called for idle connections that broke; the pool makes new ones. */
  readonly onError: (error: Error) => void;
  /** For visitors' responses; commands, imports and migrations have no limit. */
  readonly patience?: Patience;
}

const unhurried: Patience = { connectMs: 5000, answerMs: null };

/**
 * Opens a PostgreSQL database (12 or later).
 * @param url in libpq's form: `postgres://user:password@host:5432/database`
 * @throws Error when it is unreachable or refuses the log-in
 */
export async function openPostgresqlDatabase(
  url: string,
  { onError, patience = unhurried }: PostgresqlOptions,
): Promise<Database> {
  const pool = createPostgresqlPool(url, patience, onError);
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(query);
  } catch (error) {
    await query.destroy();
    throw error;
  }
  return { engine: 'postgresql', query, close: () => query.destroy() };
}
