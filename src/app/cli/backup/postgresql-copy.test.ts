import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type KyselyPlugin, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrations } from '../../../../migrations/index.ts';
import { type Database, DatabaseUnavailable } from '../../../stores/contracts/database.ts';
import { type DatabasePlace, engines } from '../../../stores/contracts/testing/services/databases.ts';
import { type FaultyLine, openFaultyLine } from '../../../stores/contracts/testing/services/faulty-line.ts';
import { openSqliteDatabase } from '../../../stores/embedded/sqlite-database.ts';
import { migrate } from '../../../stores/migrate.ts';
import { openPostgresqlDatabase } from '../../../stores/scale-out/postgresql-database.ts';
import { copyPostgresql, placePostgresql } from './postgresql-copy.ts';
import { inspectSqlite } from './sqlite-copy.ts';

const engine = engines.find(({ name }) => name === 'postgresql');

type Rows = Readonly<Record<string, readonly string[]>>;

/** Rows as texts, in an order that both engines have. */
const asTexts = (rows: readonly object[]) =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([name, value]) => [
            name,
            value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
          ])
          .sort(([one = ''], [other = '']) => (one < other ? -1 : 1)),
      ),
    )
    .sort();

function rowsOfSqlite(path: string): Rows {
  const file = new DatabaseSync(path, { readOnly: true });
  const tables = file.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const rows = tables.map(({ name }) => [name, asTexts(file.prepare(`select * from "${name}"`).all())]);
  file.close();
  return Object.fromEntries(rows) as Rows;
}

async function rowsOfPostgresql({ query }: Database): Promise<Rows> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(
    query,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables.rows)
    rows[name] = asTexts((await sql<object>`select * from ${sql.id(name)}`.execute(query)).rows);
  return rows;
}

/** What holds between and within tables. */
async function constraintsOf({ query }: Database): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid) as text
    from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
    where nspname = current_schema() order by 1`.execute(query);
  return rows.map(({ text }) => text);
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A file of SQLite with all tables. */
async function makeSqlite(fill: (file: DatabaseSync) => void): Promise<string> {
  const path = join(folder, 'first.sqlite');
  const database = openSqliteDatabase(path);
  await migrate(database);
  await database.close();
  const file = new DatabaseSync(path);
  fill(file);
  file.close();
  inspectSqlite(path);
  return path;
}

describe.runIf(engine !== undefined)('a database that moves to PostgreSQL', () => {
  let place: DatabasePlace;
  let database: Database;
  beforeEach(async () => {
    place = await (engine ?? expect.unreachable()).makePlace();
    database = await place.open();
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });

  test('and back is as before: every row of a year in every table', async () => {
    const first = await makeSqlite((file) => {
      writeYear(file);
      // The highest number is taken, although its row is gone.
      file.exec('delete from takedowns where id = (select max(id) from takedowns)');
    });
    const { sqlite_sequence: counters, ...rows } = rowsOfSqlite(first);
    for (const [table, its] of Object.entries(rows))
      expect(its.length, table).toBeGreaterThan(table === 'migrations' ? 0 : 300);
    await placePostgresql(database, first, false);
    const moved = await rowsOfPostgresql(database);
    expect(Object.keys(moved)).toEqual(Object.keys(rows));
    for (const table of Object.keys(rows)) expect(moved[table], table).toEqual(rows[table]);

    const second = join(folder, 'second.sqlite');
    const copied = await copyPostgresql(database, second);
    expect(copied).toMatchObject({ engine: 'postgresql', migrations: migrations.map(({ name }) => name) });
    expect(rowsOfSqlite(second)).toEqual({ ...rows, sqlite_sequence: counters });

    const { id } = await database.query
      .$extendTables<{ takedowns: Record<string, unknown> }>()
      .insertInto('takedowns')
      .values({ kind: 'post', name: 'new', url: '', made_at: 1, ends_at: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(id).toBe(3 * 365 + 2);
    const fresh = await (engine ?? expect.unreachable()).makePlace();
    const other = await fresh.open();
    await migrate(other);
    expect(await constraintsOf(database)).toEqual(await constraintsOf(other));
    await other.close();
    await fresh.remove();
  });

  test('keeps its older steps, and is refused with newer ones or with tables of others', async () => {
    const { query } = database;
    const copy = (name: string) => copyPostgresql(database, join(folder, name));
    await expect(copy('none')).rejects.toThrow('nothing to back up');
    const older = migrations.slice(0, -1);
    await migrate(database, older);
    expect((await copy('older')).migrations).toEqual(older.map(({ name }) => name));
    await sql`create table notes (text text)`.execute(query);
    await expect(copy('with-notes')).rejects.toThrow('notes.text');
    await sql`drop table notes`.execute(query);
    await sql`alter table takedowns add column note text`.execute(query);
    await expect(copy('with-note')).rejects.toThrow('takedowns.note');
    await sql`insert into migrations (name, applied_at) values ('9999-tomorrow', 0)`.execute(query);
    await expect(copy('newer')).rejects.toThrow('9999-tomorrow');
  });

  test('has no U+0000, which PostgreSQL cannot keep', async () => {
    const first = await makeSqlite((file) =>
      file.exec("insert into incidents (text, began_at) values ('a' || char(0) || 'b', 1)"),
    );
    await placePostgresql(database, first, false);
    expect((await sql`select text from incidents`.execute(database.query)).rows).toEqual([
      { text: 'a\uFFFDb' },
    ]);
  });

  describe('which goes away in the middle', () => {
    let line: FaultyLine;
    let far: Database;
    let left: number;
    /** Breaks the line with a query. */
    const breaking: KyselyPlugin = {
      transformQuery({ node }) {
        if (--left === 0) line.reset();
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    beforeEach(async () => {
      const url = new URL(place.environment.DATABASE_URL ?? '');
      line = await openFaultyLine({ host: url.hostname, port: Number(url.port || 5432) });
      url.host = `127.0.0.1:${line.port}`;
      const opened = await openPostgresqlDatabase(url.href, { onError: () => {} });
      far = { ...opened, query: opened.query.withPlugin(breaking) };
    });
    afterEach(async () => {
      await far.close();
      await line.close();
    });

    test.each([10, 300])('is as it was after query %i', async (query) => {
      const first = await makeSqlite(writeYear);
      left = query;
      await expect(placePostgresql(far, first, false)).rejects.toThrow(DatabaseUnavailable);
      expect(left).toBeLessThanOrEqual(0);
      expect(await rowsOfPostgresql(database)).toEqual({});
    });

    test('fails a backup', async () => {
      await migrate(database);
      left = 40;
      await expect(copyPostgresql(far, join(folder, 'broken'))).rejects.toThrow(DatabaseUnavailable);
      expect(left).toBeLessThanOrEqual(0);
    });
  });
});

const days = 366;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: number;
  /** Such texts are short, and here unique. */
  readonly indexed: number;
  /** The table that it refers to; null for none. */
  readonly refersTo: string | null;
}

/** Every column of every table, from the schema: a new table has rows without anybody's doing. */
const columnsOf = (file: DatabaseSync) =>
  file
    .prepare(`
      select t.name as "table", c.name, lower(c.type) as type, not (c."notnull" or c.pk) as nullable,
        c.pk or exists (
          select 1 from pragma_index_list(t.name) as i, pragma_index_info(i.name) as part
          where part.name = c.name) as indexed,
        (select k."table" from pragma_foreign_key_list(t.name) as k where k."from" = c.name) as refersTo
      from sqlite_schema as t, pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite!_%' escape '!'`)
    .all() as unknown as Column[];

const texts = [
  '',
  'İstanbul العربية 日本語 👩‍👩‍👧',
  '\'; drop table "articles" --',
  '\\N\t\\.\r\n\\x00',
  '{"a":["\\u0000",null]}',
];
const integers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
const bigIntegers = [0, Date.UTC(2026, 10, 28), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const fractions = [0, 0.1, -1 / 3, 5e-324, Number.MAX_VALUE];

const pick = <T>(all: readonly T[], n: number) => all[n % all.length] as T;

function valueIn({ table, name, type, nullable, indexed, refersTo }: Column, n: number): SQLInputValue {
  // A row may refer to one that comes later.
  const row = refersTo === table ? n + 1 : n;
  if (nullable && (n % 3 === 0 || row === days)) return null;
  // Numbers have gaps.
  if (type === 'integer' && (name === 'id' || refersTo !== null)) return 3 * row + 1;
  if (type === 'text')
    return indexed || refersTo !== null ? `${row} ${pick(texts, row)}` : longOr(pick(texts, n), n);
  if (type === 'integer') return pick(integers, n);
  if (type === 'bigint') return pick(bigIntegers, n);
  if (type === 'double precision') return pick(fractions, n);
  if (type === 'blob') return Uint8Array.from({ length: n === 1 ? 2 ** 22 : n }, (_, at) => at + n);
  throw new Error(`${table}.${name} is ${type}: say here what a value of it is`);
}

const longOr = (text: string, n: number) => (n === 1 ? '日'.repeat(170_000) : text);

/** Fills every table with a row for each day, or hour, of a year: values that a copy could lose. */
function writeYear(file: DatabaseSync): void {
  file.exec('pragma foreign_keys = off; begin');
  for (const [table, columns] of Map.groupBy(columnsOf(file), (column) => column.table)) {
    // A database names the steps that it has taken.
    if (table === 'migrations') continue;
    file.exec(`delete from "${table}"`);
    const insert = file.prepare(
      `insert into "${table}" (${columns.map(({ name }) => `"${name}"`)}) values (${columns.map(() => '?')})`,
    );
    const rows = /^hourly_/.test(table) ? 24 * days : days;
    for (let n = 0; n < rows; n++) insert.run(...columns.map((column) => valueIn(column, n)));
  }
  file.exec('commit; pragma foreign_keys = on');
  const wrong = file.prepare('pragma foreign_key_check').all();
  if (wrong.length > 0) throw new Error(`Rows refer to nothing: ${JSON.stringify(wrong[0])}`);
}
