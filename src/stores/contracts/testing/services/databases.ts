import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openSqliteDatabase } from '../../../embedded/sqlite-database.ts';
import { migrate } from '../../../migrate.ts';
import { openPostgresqlDatabase } from '../../../scale-out/postgresql-database.ts';
import type { Database } from '../../database.ts';

/** An empty place for a database, which several connections can open, and which is removed after the test. */
export interface DatabasePlace {
  open(): Promise<Database>;
  /** The values of `DATABASE_URL` and `DATA_DIR`. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** One of the engines that the product runs on. */
export interface Engine {
  readonly name: Database['engine'];
  /** A fresh place without tables. */
  makePlace(): Promise<DatabasePlace>;
}

const sqlite: Engine = {
  name: 'sqlite',
  async makePlace() {
    const folder = mkdtempSync(join(tmpdir(), 'clipferry-database-'));
    return {
      environment: { DATA_DIR: folder },
      open: async () => openSqliteDatabase(join(folder, 'clipferry.db')),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

const postgresqlAt = (server: string): Engine => ({
  name: 'postgresql',
  async makePlace() {
    const schema = `clipferry_${randomUUID().replaceAll('-', '')}`;
    const url = new URL(server);
    url.searchParams.set('options', `-c search_path=${schema}`);
    const administer = async (statement: string) => {
      const client = new pg.Client({ connectionString: server });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    };
    await administer(`create schema ${schema}`);
    return {
      environment: { DATABASE_URL: url.href },
      open: () =>
        openPostgresqlDatabase(url.href, {
          onError(error) {
            throw error;
          },
        }),
      remove: () => administer(`drop schema ${schema} cascade`),
    };
  },
});

const server = process.env.TEST_DATABASE_URL;

/**
 * SQLite, and PostgreSQL if `TEST_DATABASE_URL` names a server: a developer's, or the one that a test run starts where
 * PostgreSQL is installed (`tests/support/start-postgresql.ts`).
 */
export const engines: readonly Engine[] = server === undefined ? [sqlite] : [sqlite, postgresqlAt(server)];

/** A fresh database with all tables. */
export async function openFreshDatabase(
  engine: Engine,
): Promise<{ database: Database; place: DatabasePlace; [Symbol.asyncDispose](): Promise<void> }> {
  const place = await engine.makePlace();
  const database = await place.open();
  await migrate(database);
  return {
    database,
    place,
    async [Symbol.asyncDispose]() {
      await database.close();
      await place.remove();
    },
  };
}
