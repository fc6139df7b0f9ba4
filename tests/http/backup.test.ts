import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startS3Double } from '../../doubles/s3/server.ts';
import { migrations } from '../../migrations/index.ts';
import { openSqliteDatabase } from '../../src/stores/embedded/sqlite-database.ts';
import { migrate } from '../../src/stores/migrate.ts';
import { editArticle, importOneArticle } from '../support/articles.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { machines } from '../support/backup-places.ts';
import { runCli } from '../support/cli.ts';
import { copyFirstDatabase, type RunningProduct, startProduct } from '../support/product.ts';

const slug = 'mp3-or-m4a';

/** The place that keeps archives when machines are lost. */
let kept: string;
beforeAll(() => {
  kept = mkdtempSync(join(tmpdir(), 'clipferry-kept-'));
});
afterAll(() => rmSync(kept, { recursive: true, force: true }));

type Env = Readonly<Record<string, string>> & { readonly DATA_DIR: string };

const start = ({ DATA_DIR, ...env }: Env) =>
  startProduct({ dataFolder: DATA_DIR, env: { ...env, MESSAGES_PER_HOUR: '100000' } });

async function leaveMessage({ origin }: RunningProduct, subject: string): Promise<void> {
  const answer = await fetch(`${origin}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Ada',
      email: 'ada@example.org',
      subject,
      message: 'How do I save a slideshow with its sound?',
    }),
  });
  expect(answer.status).toBe(200);
}

const textOf = async ({ origin }: RunningProduct, path: string) => (await fetch(origin + path)).text();

/** The path and the bytes of a picture that the article shows. */
async function pictureOf(product: RunningProduct) {
  const article = await textOf(product, `/${slug}`);
  const path = /\/pictures\/[^" ,]+/.exec(article)?.[0] ?? expect.unreachable('the article has no picture');
  const response = await fetch(product.origin + path);
  expect(response.status).toBe(200);
  return { path, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function succeeds(words: readonly string[], env: Env): Promise<string> {
  const { code, output, errors } = await runCli(words, env);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output;
}

/** Gives the site everything that its operator and visitors would miss. */
async function fill(product: RunningProduct, env: Env): Promise<void> {
  const folder = editArticle(slug, 'A title of this machine');
  await succeeds(['posts', 'import', folder], env);
  rmSync(folder, { recursive: true });
  await leaveMessage(product, 'Before the backup');
  await succeeds(['takedown', 'add', '@someone', '--reason', 'Court order', '--days', '90'], env);
  await succeeds(['keys', 'create', 'partner'], env);
}

const [sqlite, postgresql] = machines;

/** From which database into which. */
const moves = machines.flatMap((from) => machines.map((to) => ({ from, to })));

// The last one is PostgreSQL where there is one, and SQLite elsewhere.
describe.each(sample(moves, ({ from, to }) => from === sqlite && to === machines.at(-1)))(
  'from $from.name to $to.name',
  ({ from, to }) => {
    test('a machine is lost while requests run, and another one restores everything', {
      timeout: 180_000,
    }, async () => {
      const lost = await from.make();
      if ('DATABASE_URL' in lost.env) await importOneArticle(lost.env);
      else copyFirstDatabase(lost.env.DATA_DIR);
      const before = await start(lost.env);
      await fill(before, lost.env);
      const picture = await pictureOf(before);
      const key = readFileSync(join(lost.env.DATA_DIR, 'secret-key'), 'utf8');

      // Visitors write and read during all of this.
      let isOver = false;
      let written = 0;
      const writing = (async () => {
        while (!isOver) {
          await leaveMessage(before, `During the backup ${++written}`);
          await textOf(before, '/contact');
        }
      })();
      const archive = join(kept, 'machine.tar');
      const made = JSON.parse(await succeeds(['backup', archive, '--json'], lost.env)) as {
        rows: { messages: number };
      };
      isOver = true;
      await writing;
      expect(written).toBeGreaterThan(0);
      expect(made).toMatchObject({ rows: { takedowns: 1, api_keys: 1 }, secretKey: 'file', pictures: 0 });
      expect(made.rows.messages).toBeGreaterThan(0);
      expect(statSync(archive).mode & 0o777).toBe(0o600);
      // Nothing unfinished is left.
      expect(readdirSync(kept).filter((name) => /machine|^\./.test(name))).toEqual(['machine.tar']);
      await before.stop('SIGKILL');
      const takedowns = await succeeds(['takedown', 'list', '--json'], lost.env);
      expect(takedowns).toContain('Court order');
      await lost.lose();

      const found = await to.make();
      const restored = JSON.parse(await succeeds(['restore', archive, '--json'], found.env)) as object;
      expect(restored).toMatchObject({ rows: made.rows, migrated: [], configuration: null, replaced: false });
      expect(readFileSync(join(found.env.DATA_DIR, 'secret-key'), 'utf8')).toBe(key);
      expect(statSync(join(found.env.DATA_DIR, 'secret-key')).mode & 0o777).toBe(0o600);
      const after = await start(found.env);
      expect(await textOf(after, `/${slug}`)).toContain('A title of this machine');
      const again = await fetch(after.origin + picture.path);
      expect(Buffer.from(await again.arrayBuffer()).equals(picture.bytes)).toBe(true);
      const messages = JSON.parse(
        await succeeds(['messages', 'list', '--limit', '100000', '--json'], found.env),
      ) as { subject: string }[];
      expect(messages).toHaveLength(made.rows.messages);
      expect(messages.at(-1)?.subject).toBe('Before the backup');
      expect(await succeeds(['takedown', 'list', '--json'], found.env)).toBe(takedowns);
      expect(await succeeds(['keys', 'list'], found.env)).toMatch(/^partner {2}10 times/);
      // New requests do not collide with restored data.
      await leaveMessage(after, 'After the restore');
      await succeeds(['takedown', 'add', '@another'], found.env);

      // A running site is not replaced, and nothing is replaced without consent.
      const unasked = await runCli(['restore', archive], found.env);
      expect([unasked.code, unasked.errors]).toEqual([1, expect.stringContaining('not empty')]);
      const running = await runCli(['restore', archive, '--replace'], found.env);
      expect([running.code, running.errors]).toEqual([1, expect.stringContaining('in use')]);
      expect(await succeeds(['takedown', 'list'], found.env)).toContain('@another');
      await after.stop();
      await succeeds(['restore', archive, '--replace'], found.env);
      expect(await succeeds(['takedown', 'list'], found.env)).not.toContain('@another');
      expect(readdirSync(found.env.DATA_DIR).filter((name) => name.startsWith('.'))).toEqual([]);
      await found.lose();
    });
  },
);

describe.each(sample(machines, (machine) => machine === sqlite))('on $name', ({ make }) => {
  test('refuses a wrong archive, and changes nothing', { timeout: 180_000 }, async () => {
    const [machine, empty] = [await make(), await make()];
    await succeeds(['takedown', 'add', '@someone'], machine.env);
    const archive = join(kept, 'right.tar');
    await succeeds(['backup', archive], machine.env);
    const right = readFileSync(archive);
    const at = Math.floor(Math.random() * right.length);
    const damaged = Buffer.from(right);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    const wrong = {
      damaged,
      truncated: right.subarray(0, at),
      empty: Buffer.alloc(0),
      'of another program': execFileSync('tar', ['c', '-C', kept, 'right.tar']),
    };
    for (const [what, bytes] of Object.entries(wrong)) {
      writeFileSync(archive, bytes);
      const { code, output, errors } = await runCli(['restore', archive], empty.env);
      expect([code, output, errors], `${what}, at byte ${at}`).toEqual([
        1,
        '',
        expect.stringMatching(/is refused, and nothing was changed: it is no backup, /),
      ]);
    }
    expect(readdirSync(empty.env.DATA_DIR)).toEqual([]);
    const replacing = await runCli(['restore', archive, '--replace'], machine.env);
    expect(replacing.code).toBe(1);
    expect(await succeeds(['takedown', 'list'], machine.env)).toContain('@someone');
    await Promise.all([machine.lose(), empty.lose()]);
  });

  test('says that the disk is full, and changes nothing', async () => {
    const [machine, empty] = [await make(), await make()];
    await succeeds(['takedown', 'add', '@someone'], machine.env);
    const archive = join(kept, 'right.tar');
    await succeeds(['backup', archive], machine.env);
    // A file may have 50 kB.
    const words = [
      'ulimit -f 100; exec "$@"',
      'sh',
      process.execPath,
      'src/app/cli/main.ts',
      'restore',
      archive,
    ];
    const env = { PATH: process.env.PATH, ...empty.env };
    const { status, stderr } = spawnSync('sh', ['-c', ...words], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('The disk is full')]);
    expect(readdirSync(empty.env.DATA_DIR)).toEqual([]);
    await Promise.all([machine.lose(), empty.lose()]);
  });
});

test.skipIf(postgresql === undefined)('what PostgreSQL refuses leaves its tables as they were', async () => {
  const machine = await (postgresql ?? expect.unreachable()).make();
  const archive = join(kept, 'failing.tar');
  await succeeds(['takedown', 'add', '@someone'], machine.env);
  await succeeds(['backup', archive], machine.env);
  await succeeds(['takedown', 'add', '@another'], machine.env);
  const client = new pg.Client({ connectionString: machine.env.DATABASE_URL });
  await client.connect();
  await client.query('create view of_the_operator as select name from takedowns').finally(() => client.end());
  const { code, errors } = await runCli(['restore', archive, '--replace'], machine.env);
  expect([code, errors]).toEqual([1, expect.stringContaining('view of_the_operator depends on')]);
  expect(await succeeds(['takedown', 'list'], machine.env)).toContain('@another');
  await machine.lose();
});

describe('a database of another version', () => {
  const make = sqlite?.make ?? expect.unreachable();

  test('is migrated when it is older', { skip: !isAudit }, async () => {
    const [old, found] = [await make(), await make()];
    const database = openSqliteDatabase(join(old.env.DATA_DIR, 'clipferry.db'));
    await migrate(database, migrations.slice(0, -1));
    await database.close();
    const archive = join(kept, 'older.tar');
    await succeeds(['backup', archive], old.env);
    const output = await succeeds(['restore', archive], found.env);
    expect(output).toContain(`brought up to date: ${migrations.at(-1)?.name}`);
    expect(await succeeds(['messages', '--json'], found.env)).toBe('[]\n');
    await Promise.all([old.lose(), found.lose()]);
  });

  test('is refused when it is newer, and nothing is changed', async () => {
    const [newer, found] = [await make(), await make()];
    await succeeds(['takedown', 'add', '@someone'], newer.env);
    const file = new DatabaseSync(join(newer.env.DATA_DIR, 'clipferry.db'));
    file.exec("insert into migrations (name, applied_at) values ('9999-tomorrow', 0)");
    file.close();
    const archive = join(kept, 'newer.tar');
    await succeeds(['backup', archive], newer.env);
    const { code, errors } = await runCli(['restore', archive], found.env);
    expect([code, errors]).toEqual([1, expect.stringContaining('9999-tomorrow')]);
    expect(readdirSync(found.env.DATA_DIR)).toEqual([]);
    await Promise.all([newer.lose(), found.lose()]);
  });
});

test('backs up pictures in S3, and restores them to S3 or the database', {
  skip: !isAudit,
  timeout: 180_000,
}, async () => {
  const make = sqlite?.make ?? expect.unreachable();
  const [lost, withStore, without] = [await make(), await make(), await make()];
  const [firstStore, secondStore] = await Promise.all([startS3Double(), startS3Double()]);
  const env = { ...lost.env, ...firstStore.environment };
  await importOneArticle(env);
  const before = await start(env);
  const picture = await pictureOf(before);
  await before.stop();
  const archive = join(kept, 's3.tar');
  await succeeds(['backup', archive], env);
  const keys = () => [...secondStore.bucket.objects.keys()].filter((key) => key.startsWith('pictures/'));
  expect(keys()).toEqual([]);

  const toStore = { ...withStore.env, ...secondStore.environment };
  const places = sample([toStore, without.env], (place) => place === toStore);
  for (const place of places) {
    await succeeds(['restore', archive], place);
    const product = await start(place);
    expect((await pictureOf(product)).bytes.equals(picture.bytes)).toBe(true);
    await product.stop();
  }
  expect(keys().length).toBeGreaterThan(0);
  await Promise.all([firstStore.close(), secondStore.close()]);
  await Promise.all([lost.lose(), withStore.lose(), without.lose()]);
});
