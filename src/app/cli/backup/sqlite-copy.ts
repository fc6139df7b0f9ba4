import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import type { CopiedDatabase } from './archive.ts';

/** Tables whose rows an operator would miss. */
const countedTables = ['articles', 'messages', 'takedowns', 'api_keys', 'push_subscriptions'] as const;

/** Pages that are copied before others get their turn: 8 MB. */
const pagesAtOnce = 2000;
const waitMs = 20_000;

/** Copies the database of a running site, as it is at this moment. @throws Error when there is none */
export async function copySqlite(
  from: string,
  to: string,
  onProgress: (donePages: number, allPages: number) => void,
): Promise<CopiedDatabase> {
  if (!existsSync(from)) throw new Error(`There is no database at ${from}: nothing to back up`);
  const source = new DatabaseSync(from, { readOnly: true, timeout: waitMs });
  try {
    // With an open read transaction the copy is of one moment; without it each write would make it begin again.
    source.exec('begin');
    source.prepare('select count(*) from sqlite_schema').get();
    await backup(source, to, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    });
  } finally {
    source.close();
  }
  await chmod(to, 0o600);
  return inspectSqlite(to);
}

/** Checks a copy, and makes it one file. @throws Error when it is damaged */
export function inspectSqlite(file: string): CopiedDatabase {
  const copy = new DatabaseSync(file);
  try {
    copy.exec('pragma journal_mode = delete');
    const [check] = copy.prepare('pragma quick_check(1)').all();
    if (check?.quick_check !== 'ok')
      throw new Error(`The database is damaged: ${String(check?.quick_check)}`);
    const one = (statement: string) => Object.values(copy.prepare(statement).get() ?? {})[0];
    const tables = new Set(
      copy
        .prepare("select name from sqlite_schema where type = 'table'")
        .all()
        .map(({ name }) => name),
    );
    const counted = countedTables.filter((table) => tables.has(table));
    return {
      engine: 'sqlite',
      version: String(one('select sqlite_version()')),
      migrations: copy
        .prepare('select name from migrations order by name')
        .all()
        .map(({ name }) => String(name)),
      rows: Object.fromEntries(counted.map((table) => [table, Number(one(`select count(*) from ${table}`))])),
    };
  } finally {
    copy.close();
  }
}

/** @throws Error when another process has the database open */
export function refuseOpenDatabase(file: string): void {
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file, { timeout: 1000 });
  try {
    // SQLite leaves this mode only for a connection that is alone.
    const mode = database.prepare('pragma journal_mode = delete').get()?.journal_mode;
    if (mode !== 'delete') throw new Error(`the journal is still "${String(mode)}"`);
  } catch (error) {
    throw new Error('The database is in use: stop the site first', { cause: error });
  } finally {
    database.close();
  }
}

/** Puts a database that nobody has open at the place of another one. */
export async function placeSqlite(from: string, to: string): Promise<void> {
  await rename(from, to);
  for (const beside of ['-wal', '-shm', '-journal']) await rm(`${to}${beside}`, { force: true });
}
