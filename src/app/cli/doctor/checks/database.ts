import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { type Check, error, type Finding, ok, warning } from '../../../../server/commands/checks.ts';
import { appliedSteps, knownSteps } from '../../../../stores/migrate.ts';
import { withPostgresql } from '../../postgresql.ts';
import type { SqliteFacts } from './sqlite-worker.ts';

/** The oldest PostgreSQL that the product runs on. */
const leastPostgresql = 12;

/** The finding about a database's migrations. */
function stepsFinding(what: string, applied: readonly string[]): Finding {
  const unknown = applied.filter((name) => !knownSteps.includes(name));
  const due = knownSteps.filter((name) => !applied.includes(name));
  if (unknown.length > 0)
    return error(
      `${what}: a newer version made it (${unknown.join(', ')})`,
      'install the version that the site had, or a newer one, or restore the backup from before the update',
    );
  if (due.length > 0)
    return warning(
      `${what}: ${due.length} step(s) of the schema are due`,
      'back up; the next start takes them',
    );
  return ok(`${what}, ${applied.length} steps of the schema`);
}

/** SQLite works in the thread that asks, so a large file is read in another one. */
function inspect(file: string, signal: AbortSignal): Promise<SqliteFacts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData: file });
    signal.addEventListener('abort', () => void worker.terminate().then(() => reject(signal.reason)), {
      once: true,
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function checkSqlite(file: string, signal: AbortSignal): Promise<Finding> {
  if (!existsSync(file)) return warning(`there is no database at ${file}`, 'the first start makes it');
  const { version, integrity, applied } = await inspect(file, signal);
  if (integrity !== 'ok')
    return error(
      `${file} is damaged: ${integrity}`,
      'stop the site, keep a copy of the file, and restore the last backup',
    );
  return stepsFinding(`SQLite ${version}, ${(statSync(file).size / 1e6).toFixed(1)} MB, sound`, applied);
}

const checkPostgresql = (url: string): Promise<Finding> =>
  withPostgresql(url, async ({ query }) => {
    const { rows } = await sql<{ name: string; number: string; migrations: string | null }>`
      select current_setting('server_version') as name, current_setting('server_version_num') as number,
        to_regclass('migrations') as migrations`.execute(query);
    const [server] = rows;
    const what = `PostgreSQL ${server?.name}`;
    if (Number(server?.number) < leastPostgresql * 10_000)
      return error(what, `use PostgreSQL ${leastPostgresql} or later`);
    if (!server?.migrations) return warning(`${what}: there are no tables`, 'the first start makes them');
    return stepsFinding(what, await appliedSteps(query));
  });

export const database: Check = {
  name: 'database',
  todo: 'start the database, or correct DATABASE_URL: the site does not start without it',
  limitMs: 60_000,
  async run({ environment: { DATABASE_URL, DATA_DIR }, signal }) {
    return [
      await (DATABASE_URL === undefined
        ? checkSqlite(join(DATA_DIR, 'clipferry.db'), signal)
        : checkPostgresql(DATABASE_URL)),
    ];
  },
};
