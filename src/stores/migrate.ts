import { type Kysely, sql, type Transaction } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import type { Migration } from '../../migrations/migration.ts';
import type { Database, Tables } from './contracts/database.ts';

/** Names this product's migrations among the locks of a PostgreSQL server; any number that stays the same. */
const advisoryLock = 7_268_014_455;

/** The names of all steps that this version knows, the oldest first. */
export const knownSteps: readonly string[] = migrations.map(({ name }) => name);

/** The steps with these names: those of a database of an older version. */
export const stepsNamed = (names: readonly string[]): readonly Migration[] =>
  migrations.filter(({ name }) => names.includes(name));

/** The names of the steps that a database has taken. */
export async function appliedSteps(query: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(query);
  return rows.map(({ name }) => name);
}

/**
 * Keeps others from migrating until the end of the transaction, instances that start too. SQLite's transaction itself
 * excludes others.
 */
export async function lockMigrations(transaction: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction);
}

/**
 * Migrates the schema in one transaction: all pending migrations, or none. Of two instances that start at once, one
 * waits for the other and then finds nothing to do.
 * @returns the names of the applied migrations
 * @throws Error when the database has migrations that this version does not know
 */
export const migrate = (
  { query, engine }: Database,
  steps: readonly Migration[] = migrations,
): Promise<string[]> =>
  query.transaction().execute((transaction) => migrateWithin(transaction, engine, steps));

/** Like {@link migrate}, within a transaction. */
export async function migrateWithin(
  transaction: Transaction<Tables>,
  engine: Database['engine'],
  steps: readonly Migration[] = migrations,
): Promise<string[]> {
  if (engine === 'postgresql') await lockMigrations(transaction);
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
    transaction,
  );
  const applied = new Set(await appliedSteps(transaction));
  const unknown = [...applied].filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0)
    throw new Error(
      `The database was made by a newer version: it has the steps ${unknown.join(', ')}. Start that version again, or restore the backup from before the update`,
    );
  const due = steps.filter(({ name }) => !applied.has(name));
  for (const { name, up } of due) {
    // A migration sees the tables of its own time, not those that the types describe.
    await up(transaction as unknown as Kysely<unknown>, engine);
    await sql`insert into migrations (name, applied_at) values (${name}, ${Date.now()})`.execute(transaction);
  }
  return due.map(({ name }) => name);
}
