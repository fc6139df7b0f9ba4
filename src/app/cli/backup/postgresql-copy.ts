import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../../stores/contracts/database.ts';
import { openSqliteDatabase } from '../../../stores/embedded/sqlite-database.ts';
import {
  appliedSteps,
  knownSteps,
  lockMigrations,
  migrate,
  migrateWithin,
  stepsNamed,
} from '../../../stores/migrate.ts';
import type { CopiedDatabase } from './archive.ts';
import { inspectSqlite } from './sqlite-copy.ts';

/** Rows in memory at once; their longest texts have half a megabyte. A picture has many, so it goes alone. */
const rowsAtOnce = 100;

type Row = Record<string, SQLOutputValue>;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rowsAtOnce: number;
}

/** Every table that the steps of the schema made. */
function tablesOf(file: DatabaseSync): Table[] {
  const columns = file
    .prepare(`
      select tables.name as "table", columns.name, lower(columns.type) as type
      from sqlite_schema as tables, pragma_table_info(tables.name) as columns
      where tables.type = 'table' and tables.name not like 'sqlite!_%' escape '!'
      order by tables.name, columns.cid`)
    .all() as { table: string; name: string; type: string }[];
  return [...Map.groupBy(columns, ({ table }) => table)].map(([name, its]) => ({
    name,
    columns: its.map((column) => column.name),
    rowsAtOnce: its.some(({ type }) => type === 'blob') ? 1 : rowsAtOnce,
  }));
}

/** @throws Error when PostgreSQL has other tables or columns: a copy would lose them */
async function refuseOtherTables(query: Kysely<Tables>, tables: readonly Table[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(query);
  const known = new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)));
  const others = known.symmetricDifference(new Set(rows.map(({ name }) => name)));
  if (others.size > 0)
    throw new Error(
      `The schema of the tables belongs to the site alone, and its migrations do not account for ${[...others].sort().join(', ')}`,
    );
}

const columnsOf = ({ columns }: Table) => sql.join(columns.map((column) => sql.id(column)));

async function readTable(query: Kysely<Tables>, file: DatabaseSync, table: Table): Promise<void> {
  const { name, columns } = table;
  // Migrations write rows, too.
  file.exec(`delete from "${name}"`);
  const insert = file.prepare(
    `insert into "${name}" (${columns.map((column) => `"${column}"`)}) values (${columns.map((column) => `:${column}`)})`,
  );
  await sql`declare copied no scroll cursor for select ${columnsOf(table)} from ${sql.id(name)}`.execute(
    query,
  );
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(table.rowsAtOnce)} from copied`.execute(query);
    if (rows.length === 0) break;
    for (const row of rows) insert.run(row);
  }
  await sql`close copied`.execute(query);
}

function* inParts<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let part: T[] = [];
  for (const one of all) {
    part.push(one);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** PostgreSQL has no U+0000 in texts. */
const storable = (value: SQLOutputValue | undefined) =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;

async function writeTable(query: Kysely<Tables>, file: DatabaseSync, table: Table): Promise<void> {
  const { name, columns } = table;
  await sql`delete from ${sql.id(name)}`.execute(query);
  const rows = file.prepare(`select ${columns.map((column) => `"${column}"`)} from "${name}"`).iterate();
  for (const part of inParts(rows as Iterable<Row>, table.rowsAtOnce)) {
    const values = part.map((row) => sql`(${sql.join(columns.map((column) => storable(row[column])))})`);
    await sql`insert into ${sql.id(name)} (${columnsOf(table)}) values ${sql.join(values)}`.execute(query);
  }
}

/** The sequence of a table's ids, and the last one it gave; null before the first. */
async function countersOf(query: Kysely<Tables>) {
  const { rows } = await sql<{ table: string; counter: string; last: number | null }>`
    select "table", counter, pg_sequence_last_value(counter::regclass) as last
    from (
      select table_name as "table", pg_get_serial_sequence(quote_ident(table_name), column_name) as counter
      from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'
    ) as counters`.execute(query);
  return rows;
}

/** Carries on both engines' promise that no number is given twice. */
async function readCounters(query: Kysely<Tables>, file: DatabaseSync): Promise<void> {
  file.exec('delete from sqlite_sequence');
  const insert = file.prepare('insert into sqlite_sequence (name, seq) values (?, ?)');
  for (const { table, last } of await countersOf(query)) if (last !== null) insert.run(table, last);
}

async function writeCounters(query: Kysely<Tables>, file: DatabaseSync): Promise<void> {
  const last = file.prepare('select seq from sqlite_sequence where name = ?');
  for (const { table, counter } of await countersOf(query)) {
    const seq = last.get(table)?.seq;
    if (seq !== undefined) await sql`select setval(${counter}, ${seq})`.execute(query);
  }
}

/** Copies the database of running instances, as it is at this moment, into a file of SQLite. */
export async function copyPostgresql({ query }: Database, to: string): Promise<CopiedDatabase> {
  const version = await query
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const { rows } = await sql<{ version: string; migrations: string | null }>`
        select current_setting('server_version') as version, to_regclass('migrations')::text as migrations`.execute(
        transaction,
      );
      if ((rows[0]?.migrations ?? null) === null)
        throw new Error('The database has no tables: nothing to back up');
      await makeTables(to, await stepsOf(transaction));
      const file = new DatabaseSync(to, { enableForeignKeyConstraints: false });
      try {
        // A file that is not completed is removed.
        file.exec('pragma journal_mode = off; pragma synchronous = off; begin');
        const tables = tablesOf(file);
        await refuseOtherTables(transaction, tables);
        for (const table of tables) await readTable(transaction, file, table);
        await readCounters(transaction, file);
        file.exec('commit');
      } finally {
        file.close();
      }
      return rows[0]?.version ?? '';
    });
  return { ...inspectSqlite(to), engine: 'postgresql', version };
}

async function stepsOf(query: Kysely<Tables>): Promise<string[]> {
  const steps = await appliedSteps(query);
  const unknown = steps.filter((name) => !knownSteps.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `A newer version made the database, and this one does not know the steps ${unknown.join(', ')}: back up with that version`,
    );
  return steps;
}

async function makeTables(path: string, steps: readonly string[]): Promise<void> {
  const database = openSqliteDatabase(path);
  await migrate(database, stepsNamed(steps)).finally(() => database.close());
}

async function tablesThere(query: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(query);
  return rows.map(({ name }) => name);
}

/** @throws Error when tables are there and may not be replaced, or anything else is connected to their database */
export async function checkPostgresqlPlace(query: Kysely<Tables>, replace: boolean): Promise<void> {
  if ((await tablesThere(query)).length === 0) return;
  if (!replace) throw new Error('The database is not empty. --replace replaces all data that is there');
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    query,
  );
  const [{ count } = { count: 0 }] = rows;
  if (count > 0)
    throw new Error(`The database is in use by ${count} other connection(s): stop all instances first`);
}

/** Without foreign keys, in which order rows are written does not matter; then all of them are checked at once. */
async function withoutForeignKeys(query: Transaction<Tables>, task: () => Promise<void>): Promise<void> {
  const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
    where contype = 'f' and nspname = current_schema()`.execute(query);
  for (const { table, name } of keys)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(query);
  await task();
  for (const { table, name, definition } of keys)
    await sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      query,
    );
}

/**
 * Puts a copy, which is up to date, at the place of all tables. A failure leaves everything as it was.
 * @throws as {@link checkPostgresqlPlace}; DatabaseUnavailable
 */
export async function placePostgresql({ query }: Database, copy: string, replace: boolean): Promise<void> {
  const file = new DatabaseSync(copy, { readOnly: true });
  try {
    await query.transaction().execute(async (transaction) => {
      // Instances that start meanwhile wait.
      await lockMigrations(transaction);
      await checkPostgresqlPlace(transaction, replace);
      const before = await tablesThere(transaction);
      if (before.length > 0)
        await sql`drop table ${sql.join(before.map((name) => sql.id(name)))}`.execute(transaction);
      await migrateWithin(transaction, 'postgresql');
      const tables = tablesOf(file);
      await refuseOtherTables(transaction, tables);
      await withoutForeignKeys(transaction, async () => {
        for (const table of tables) await writeTable(transaction, file, table);
      });
      await writeCounters(transaction, file);
    });
  } catch (error) {
    // The server says here what stands in the way: a view of a table, a row.
    const { message, detail } = error as Error & { detail?: string };
    throw detail === undefined ? error : new Error(`${message}: ${detail}`, { cause: error });
  } finally {
    file.close();
  }
}
