import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';

/** PostgreSQL refuses to run as root: then its data and its process belong to the user `nobody`. */
const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/**
 * Starts one PostgreSQL for all tests of this run where its programs `initdb` and `postgres` are on the PATH, and names
 * it in `TEST_DATABASE_URL`. A server that a developer names there is used instead.
 * @returns stops it and removes its data
 */
export default async function startPostgresql(): Promise<() => Promise<void>> {
  // Every project calls it, and one server is enough for all.
  if (process.env.TEST_DATABASE_URL !== undefined) return async () => {};
  if (spawnSync('postgres', ['--version']).status !== 0) return async () => {};
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-postgresql-'));
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const made = spawnSync(
    'initdb',
    ['--pgdata', folder, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'],
    { ...owner, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);
  const port = await freePort();
  // Its data is thrown away: nothing has to survive a crash.
  const settings = { listen_addresses: '127.0.0.1', max_connections: '300', fsync: 'off' };
  const child = spawn(
    'postgres',
    ['-D', folder, '-k', folder, '-p', String(port)].concat(
      Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ),
    { ...owner, cwd: folder, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  // A fast shutdown, which does not wait for clients, also when the run is interrupted.
  const stop = () => child.kill('SIGINT');
  process.once('exit', stop);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`);
    await pause(20);
  }
  process.env.TEST_DATABASE_URL = url;
  return async () => {
    delete process.env.TEST_DATABASE_URL;
    process.off('exit', stop);
    stop();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
