import { writeFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Database, Tables } from '../../../stores/contracts/database.ts';
import { type CopiedDatabase, countedTables } from './manifest.ts';
import { checkPostgresqlProgram, dumpPostgresql, listDump, restoreDump } from './postgresql-programs.ts';

/** Where tables wait until others have taken their place. */
const asideSchema = 'clipferry_replaced';

interface Server {
  /** As `server_version_num`. */
  readonly version: number;
  readonly name: string;
  /** Where the tables are. */
  readonly schema: string;
}

async function serverOf(query: Kysely<Tables>): Promise<Server> {
  const { rows } = await sql<{ version: string; name: string; schema: string | null }>`
    select current_setting('server_version_num') as version, current_setting('server_version') as name,
      current_schema() as schema`.execute(query);
  const [row] = rows;
  if (row === undefined || row.schema === null) throw new Error('The database has no schema for tables');
  return { version: Number(row.version), name: row.name, schema: row.schema };
}

async function tablesIn(query: Kysely<Tables>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = ${schema} order by tablename`.execute(query);
  return rows.map(({ name }) => name);
}

/** Copies the database of running instances, as it is at this moment. */
export async function copyPostgresql(
  { query }: Database,
  databaseUrl: string,
  file: string,
): Promise<CopiedDatabase> {
  return query
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const { version, name, schema } = await serverOf(transaction);
      await checkPostgresqlProgram('pg_dump', version);
      const tables = await tablesIn(transaction, schema);
      if (!tables.includes('migrations')) throw new Error('The database has no tables: nothing to back up');
      const { rows: steps } = await sql<{ name: string }>`select name from migrations order by name`.execute(
        transaction,
      );
      const rows: Record<string, number> = {};
      for (const table of countedTables.filter((one) => tables.includes(one))) {
        const counted = await sql<{
          count: string;
        }>`select count(*) as count from ${sql.table(table)}`.execute(transaction);
        rows[table] = Number(counted.rows[0]?.count);
      }
      // The program sees what this transaction sees, which stays open meanwhile.
      const { rows: snapshots } = await sql<{ name: string }>`select pg_export_snapshot() as name`.execute(
        transaction,
      );
      await dumpPostgresql(databaseUrl, { file, schema, snapshot: snapshots[0]?.name ?? '' });
      return {
        engine: 'postgresql',
        version: name,
        schema,
        migrations: steps.map((step) => step.name),
        rows,
      };
    });
}

/** What has to be right before a dump is written into a database. Changes nothing. @returns whether tables are there */
export async function checkPostgresqlPlace(
  { query }: Database,
  { schema }: Pick<CopiedDatabase, 'schema'>,
): Promise<boolean> {
  const server = await serverOf(query);
  await checkPostgresqlProgram('pg_restore', server.version);
  if (server.schema !== schema)
    throw new Error(
      `The backup's tables are in the schema "${schema}", those of DATABASE_URL in "${server.schema}"`,
    );
  if ((await tablesIn(query, asideSchema)).length > 0)
    throw new Error(
      `A restore was interrupted: the tables of before are in the schema "${asideSchema}". Move them back, or drop it`,
    );
  return (await tablesIn(query, server.schema)).length > 0;
}

/** @throws Error when anything else is connected to the database */
export async function refuseOtherConnections({ query }: Database): Promise<void> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    query,
  );
  const count = Number(rows[0]?.count);
  if (count > 0)
    throw new Error(`The database is in use by ${count} other connection(s): stop all instances first`);
}

async function moveTables(query: Kysely<Tables>, from: string, to: string): Promise<void> {
  for (const table of await tablesIn(query, from))
    await sql`alter table ${sql.id(from, table)} set schema ${sql.id(to)}`.execute(query);
}

/**
 * Writes a dump into the database. Tables that are there wait in another schema: they are dropped when the dump is in
 * place, and come back when it fails.
 * @param scratch a folder to work in
 */
export async function placePostgresql(
  { query }: Database,
  databaseUrl: string,
  { dump, scratch }: { readonly dump: string; readonly scratch: string },
): Promise<void> {
  const list = `${scratch}/dump-list`;
  await writeFile(list, await listDump(dump), { mode: 0o600 });
  const { schema } = await serverOf(query);
  await query.transaction().execute(async (transaction) => {
    await sql`create schema if not exists ${sql.id(asideSchema)}`.execute(transaction);
    await moveTables(transaction, schema, asideSchema);
  });
  try {
    await restoreDump(databaseUrl, dump, list);
  } catch (error) {
    await query.transaction().execute(async (transaction) => {
      await moveTables(transaction, asideSchema, schema);
      await sql`drop schema ${sql.id(asideSchema)}`.execute(transaction);
    });
    throw error;
  }
  await sql`drop schema ${sql.id(asideSchema)} cascade`.execute(query);
}
