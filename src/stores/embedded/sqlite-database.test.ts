import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseUnavailable } from '../contracts/database.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-sqlite-'));
  path = join(folder, 'clipferry.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = () => ['', '-wal', '-shm'].map((end) => path + end);
const modes = () => files().map((file) => statSync(file).mode & 0o777);

test('only the owner may read the files, whatever their mode was before', async () => {
  const first = openSqliteDatabase(path);
  await sql`create table notes (text text)`.execute(first.query);
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  for (const file of files()) chmodSync(file, 0o644);
  const second = openSqliteDatabase(path);
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  await first.close();
  await second.close();
});

test('a transaction without room fails with its reason, and the next one works when there is room', async () => {
  const database = openSqliteDatabase(path);
  await sql`create table notes (text text)`.execute(database.query);
  await sql`pragma max_page_count = 20`.execute(database.query);
  const write = (count: number) =>
    database.query.transaction().execute(async (transaction) => {
      for (let n = 0; n < count; n++)
        await sql`insert into notes (text) values (${'x'.repeat(10_000)})`.execute(transaction);
    });
  await expect(write(100)).rejects.toThrow('database or disk is full');
  await sql`pragma max_page_count = 100000`.execute(database.query);
  await write(1);
  const { rows } = await sql<{ count: number }>`select count(*) as count from notes`.execute(database.query);
  expect(rows).toEqual([{ count: 1 }]);
  await database.close();
});

test('while another process writes, many wait side by side for their allowed time', async () => {
  // One after the other, forty would wait longer than a test may take.
  const database = openSqliteDatabase(path, 1000);
  await sql`create table notes (text text)`.execute(database.query);
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => sql`insert into notes (text) values ('x')`.execute(database.query)),
  );
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
  other.exec('commit');
  other.close();
  await sql`insert into notes (text) values ('y')`.execute(database.query);
  const { rows } = await sql`select text from notes`.execute(database.query);
  expect(rows).toEqual([{ text: 'y' }]);
  await database.close();
});

test('refuses a file that is not a database, and leaves it unchanged', () => {
  writeFileSync(path, 'something else entirely, and long enough to be read as a header of a file '.repeat(9));
  expect(() => openSqliteDatabase(path)).toThrow(/not a database/);
});
