import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Database, Tables } from '../contracts/database.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { isSystemError } from './storage-errors.ts';

/** Another process may be doing the same; only here the thread waits for it. */
const openLimitMs = 10_000;

/**
 * Settings of a new connection. `synchronous=FULL`: a commit is on the disk before it resolves
 * (https://www.sqlite.org/pragma.html#pragma_synchronous). `journal_size_limit`: truncates the write-ahead log after a
 * large transaction has been copied.
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
 * Visitors' messages are for the operator only. SQLite gives its additional files the mode of the database; existing
 * ones with another mode are corrected.
 */
function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // The file does not exist yet, or belongs to another account that lets us use it.
      if (!isSystemError(error, 'ENOENT', 'EPERM')) throw error;
    }
}

function connect(path: string): DatabaseSync {
  const file = new DatabaseSync(path, { timeout: openLimitMs });
  try {
    file.exec(settings);
  } catch (error) {
    file.close();
    throw error;
  }
  return file;
}

/** How long commands wait while another process writes. */
const unhurriedMs = 20_000;

/**
 * Opens the database in a file, creating it if necessary; only its owner may read it.
 * @param patienceMs how long a statement waits while another process writes
 * @throws Error of SQLite when the file cannot be opened or is no database
 */
export function openSqliteDatabase(path: string, patienceMs = unhurriedMs): Database {
  keepPrivate(path);
  const writer = connect(path);
  const reader = connect(path);
  const query = new Kysely<Tables>({ dialect: createSqliteDialect(reader, writer, patienceMs) });
  return { engine: 'sqlite', query, close: () => query.destroy() };
}
