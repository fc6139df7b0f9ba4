import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Database, Tables } from '../contracts/database.ts';
import { createPostgresqlPool, type Patience } from './postgresql-pool.ts';

/** What the database needs besides its address. */
export interface PostgresqlOptions {
  /** Told of connections that broke while nobody used them; the pool makes new ones. */
  readonly onError: (error: Error) => void;
  /** For visitors' answers; commands, imports and migrations take the time that they need. */
  readonly patience?: Patience;
}

const unhurried: Patience = { connectMs: 5000, answerMs: null };

/**
 * Opens a PostgreSQL database (12 or later).
 * @param url as libpq has it: `postgres://user:password@host:5432/database`
 * @throws Error when nobody answers there or the log-in is refused
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
