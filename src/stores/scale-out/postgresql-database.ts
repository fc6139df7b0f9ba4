import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Tables } from '../contracts/database.ts';

const connectLimitMs = 5000;
const maxConnections = 10;

/** `int8`: times, counts and views, all far below 2^53; the driver gives text otherwise. */
const int8 = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')),
};

/** What the database needs besides its address. */
export interface PostgresqlOptions {
  /** Told of connections that broke while nobody used them; the pool makes new ones. */
  readonly onError: (error: Error) => void;
}

/**
 * Opens a PostgreSQL database (12 or later).
 * @param url as libpq has it: `postgres://user:password@host:5432/database`
 * @throws Error when nobody answers there or the log-in is refused
 */
export async function openPostgresqlDatabase(url: string, { onError }: PostgresqlOptions): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: maxConnections,
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'clipferry',
  });
  pool.on('error', onError);
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { engine: 'postgresql', query, close: () => query.destroy() };
}
