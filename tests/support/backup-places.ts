import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { engines } from '../../src/stores/contracts/testing/services/databases.ts';

/** A machine: a data folder, and a separate database if there is a server. */
interface Machine {
  readonly env: Readonly<Record<string, string>> & { readonly DATA_DIR: string };
  /** Deletes everything on it. */
  lose(): Promise<void>;
}

/** Asked only where {@link engines} include PostgreSQL. */
const server = process.env.TEST_DATABASE_URL ?? '';

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function sqliteMachine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-machine-'));
  return {
    env: { DATA_DIR: folder },
    lose: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Not a schema as in other tests: a restore asks whether anybody else uses the database. */
async function postgresqlMachine(): Promise<Machine> {
  const { env, lose } = await sqliteMachine();
  const name = `clipferry_${randomUUID().replaceAll('-', '')}`;
  await administer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    env: { ...env, DATABASE_URL: url.href },
    async lose() {
      await administer(`drop database ${name} with (force)`);
      await lose();
    },
  };
}

const makers = { sqlite: sqliteMachine, postgresql: postgresqlMachine };

/** Machines of each available engine. */
export const machines = engines.map(({ name }) => ({ name, make: makers[name] }));
