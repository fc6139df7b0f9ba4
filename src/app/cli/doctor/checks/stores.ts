import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type Check, error, type Finding, ok, warning } from '../../../../server/commands/checks.ts';
import { appliedSteps, knownSteps } from '../../../../stores/migrate.ts';
import { openObjectStore } from '../../../../stores/open/object-store.ts';
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

export const redis: Check = {
  name: 'redis',
  todo: 'correct REDIS_URL; until then each instance goes on alone',
  async run({ environment: { REDIS_URL, REDIS_PREFIX, SECRET_KEY } }) {
    if (REDIS_URL === undefined) return [];
    const { openRedis } = await import('../../../../stores/scale-out/redis/connection.ts');
    let reason = '';
    const connection = await openRedis({
      url: REDIS_URL,
      prefix: REDIS_PREFIX,
      onAway: (why) => {
        reason = why;
      },
      onReturn: () => undefined,
      onError: () => undefined,
    });
    try {
      if (connection.isAway)
        return [
          error(
            `no answer: ${reason}`,
            'start it, or correct REDIS_URL; until then each instance goes on alone',
          ),
        ];
      const info = await connection.call((client) => client.info());
      const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
      const version = field('valkey_version') ?? field('redis_version') ?? 'of unknown version';
      const policy = field('maxmemory_policy') ?? 'noeviction';
      const what = `Redis ${version} answers`;
      if (policy !== 'noeviction') {
        const forgets = `${what}, and forgets when it is full (maxmemory-policy ${policy})`;
        return [warning(forgets, 'set maxmemory-policy noeviction')];
      }
      const own = `${what}, but instances have keys of their own`;
      if (SECRET_KEY === undefined) return [warning(own, 'set the same SECRET_KEY on all instances')];
      return [ok(what)];
    } finally {
      await connection.close();
    }
  },
};

export const s3: Check = {
  name: 's3',
  todo: 'correct the variable, or the rights of its key; a site does not start with wrong ones',
  async run({ environment }) {
    const objects = await openObjectStore(environment, pino({ level: 'silent' }));
    if (objects === null) return [];
    try {
      if (objects.isAway) {
        const todo =
          'start it, or correct S3_ENDPOINT; until then sounds stay on this machine, and pictures are missing';
        return [error(`${objects.name} does not answer`, todo)];
      }
      // Instances delete old objects there, should this one be left behind.
      const key = `conversions/doctor-${randomUUID()}`;
      const sent = Buffer.from(key);
      await objects.put(key, sent, { contentType: 'text/plain' });
      const found = await objects.open(key);
      const got = found === null ? null : Buffer.concat(await found.body.toArray());
      await objects.delete(key);
      if (got === null || !sent.equals(got)) {
        const what = `${objects.name} does not give back what was written`;
        return [error(what, 'look at its log, and at proxies in between')];
      }
      return [ok(`${objects.name} writes, reads and deletes`)];
    } finally {
      await objects.close();
    }
  },
};
