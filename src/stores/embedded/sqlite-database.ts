import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Database, Tables } from '../contracts/database.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';

/** Another process may be doing the same; only here the thread waits for it. */
const openLimitMs = 10_000;

/**
 * What a connection is told first. `synchronous=FULL`: a commit is on the disk before it is told to be done
 * (https://www.sqlite.org/pragma.html#pragma_synchronous).
 */
const settings = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma cache_size = -16000;
  pragma temp_store = memory;
  pragma busy_timeout = 0;
`;

function connect(path: string): SqliteConnection {
  const file = new DatabaseSync(path, { timeout: openLimitMs });
  try {
    file.exec(settings);
  } catch (error) {
    file.close();
    throw error;
  }
  return new SqliteConnection(file);
}

/**
 * Opens the database in a file, which is made when it is not there.
 * @throws Error of SQLite when the file cannot be opened or is no database
 */
export function openSqliteDatabase(path: string): Database {
  const writer = connect(path);
  const reader = connect(path);
  const query = new Kysely<Tables>({ dialect: createSqliteDialect(reader, writer) });
  return { engine: 'sqlite', query, close: () => query.destroy() };
}
