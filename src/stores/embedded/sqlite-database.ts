import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Database, Tables } from '../contracts/database.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { isSystemError } from './storage-errors.ts';

/** Another process may be doing the same; only here the thread waits for it. */
const openLimitMs = 10_000;

/**
 * What a connection is told first. `synchronous=FULL`: a commit is on the disk before it is told to be done
 * (https://www.sqlite.org/pragma.html#pragma_synchronous). `journal_size_limit`: a log of writes that a large transaction
 * made long is cut back once it has been copied.
 */
const settings = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma cache_size = -16000;
  pragma temp_store = memory;
  pragma busy_timeout = 0;
  pragma journal_size_limit = ${16 * 2 ** 20};
`;

/**
 * What visitors wrote is for the operator alone. SQLite gives the files beside it the mode of the database; those that
 * were made with another one are put right.
 */
function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // Not there yet, or another account's, which this one may use all the same.
      if (!isSystemError(error, 'ENOENT', 'EPERM')) throw error;
    }
}

function connect(path: string, patienceMs: number): SqliteConnection {
  const file = new DatabaseSync(path, { timeout: openLimitMs });
  try {
    file.exec(settings);
  } catch (error) {
    file.close();
    throw error;
  }
  return new SqliteConnection(file, patienceMs);
}

/** How long commands wait while another process writes. */
const unhurriedMs = 20_000;

/**
 * Opens the database in a file, which is made when it is not there; nobody but its owner may read it.
 * @param patienceMs how long a statement waits while another process writes
 * @throws Error of SQLite when the file cannot be opened or is no database
 */
export function openSqliteDatabase(path: string, patienceMs = unhurriedMs): Database {
  keepPrivate(path);
  const writer = connect(path, patienceMs);
  const reader = connect(path, patienceMs);
  const query = new Kysely<Tables>({ dialect: createSqliteDialect(reader, writer) });
  return { engine: 'sqlite', query, close: () => query.destroy() };
}
