import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InstanceState } from '../../server/tally/instances.ts';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { DatabaseNotOpened } from '../../stores/open/database.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import { type AlarmMessage, createAlarmStore } from './alarm-store.ts';
import { conditions } from './conditions/conditions.ts';
import { ownReading } from './read-site.ts';
import { createWatch, quietMs } from './watch.ts';
import { takeOverFailedStarts, tellOfFailedStart } from './without-database.ts';

const minuteMs = 60_000;
/** As rarely as a trouble may be seen and still last. */
const lookMs = 60_000;
const gigabyte = 2 ** 30;

const usual: InstanceState = {
  ...{
    host: 'alpha',
    version: '1',
    builtAt: null,
    node: 'v24',
    database: 'PostgreSQL',
    absent: [],
    shared: [],
  },
  breakers: [{ name: 'tiktok/page', state: 'closed', reads: true }],
  ...{ fiveMinutes: [], lately: [] },
  egresses: { all: 0, resting: 0 },
  conversions: { waiting: 0, running: 0, mostWaiting: 200 },
  downloads: 0,
  disk: { free: 50 * gigabyte, total: 100 * gigabyte },
  memory: { process: 1, heap: 1, free: 1, total: 1 },
  busy: 0,
};

/** An instance whose database can be taken away, with the real conditions and a clock of the test. */
async function openSite(engine = engines[0]) {
  if (engine === undefined) throw new Error('There is no engine.');
  const fresh = await openFreshDatabase(engine);
  let time = 1_790_000_000_000;
  const now = () => time;
  const site = { failure: null as string | null, isWebhookDown: false, takesLeases: false, state: usual };
  /** Fails as the database does. */
  const failing = <T extends object>(store: T, isFailing = () => true): T =>
    new Proxy(store, {
      get: (target, name: string) => {
        const method = Reflect.get(target, name) as (...words: unknown[]) => unknown;
        return async (...words: unknown[]) => {
          if (site.failure !== null && isFailing()) throw new Error(site.failure);
          return method.apply(target, words);
        };
      },
    });
  const received: string[] = [];
  const store = createAlarmStore(fresh.database.query, now);
  const watch = createWatch({
    conditions,
    read: async () => ({ ...ownReading(time, site.state, ''), databaseFailure: null }),
    readSelf: async () => site.state,
    store: failing(store),
    leases: failing(createLeases(fresh.database.query, now), () => !site.takesLeases),
    senders: {
      async webhook({ kind, alarm }: AlarmMessage) {
        if (site.isWebhookDown) throw new Error('away');
        received.push(`webhook ${kind} ${alarm.condition}: ${alarm.text}`);
      },
      async mail({ kind, alarm }: AlarmMessage) {
        received.push(`mail ${kind} ${alarm.condition}: ${alarm.text}`);
      },
    },
    observer: {
      sent() {},
      failed() {},
      databaseFailed() {},
    },
    now,
  });
  return {
    ...{ site, received, store },
    kinds: () => received.map((line) => line.replace(/:.*/, '')),
    async pass(forMs: number) {
      for (const end = time + forMs; time < end; ) {
        time += lookMs;
        await watch.look();
      }
    },
    [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose](),
  };
}

test.for(engines)(
  'a database that is away is told once, and its end when it is back, on $name',
  async (engine) => {
    await using open = await openSite(engine);
    const { site, received, store, kinds, pass } = open;
    await pass(minuteMs);
    site.failure = 'connect ECONNREFUSED 10.0.0.5:5432';
    await pass(2 * minuteMs);
    expect(received).toEqual([]);
    await pass(60 * minuteMs);
    const text = 'database-away: alpha: connect ECONNREFUSED 10.0.0.5:5432.';
    expect(received).toEqual([`webhook begun ${text}`, `mail begun ${text}`]);
    site.failure = null;
    await pass(quietMs - lookMs);
    expect(received).toHaveLength(2);
    await pass(2 * lookMs);
    expect(kinds().slice(2)).toEqual(['webhook over database-away', 'mail over database-away']);
    // The desk shows it.
    expect(await store.notified(10)).toMatchObject([{ condition: 'database-away', subject: 'alpha' }]);
    await pass(60 * minuteMs);
    expect(received).toHaveLength(4);
  },
);

test('a full disk that keeps the database from writing is told, and over when there is room', async () => {
  await using open = await openSite();
  const { site, received, kinds, pass } = open;
  site.failure = 'database or disk is full';
  site.state = { ...usual, database: 'SQLite', disk: { free: 0, total: 14 * 2 ** 20 } };
  await pass(3 * minuteMs);
  // One message for one cause.
  expect(received).toEqual([
    'webhook begun disk-full: alpha: 0 MiB of 14 MiB are free.',
    'mail begun disk-full: alpha: 0 MiB of 14 MiB are free.',
  ]);
  // There is room again, and the database still fails.
  site.state = { ...usual, database: 'SQLite' };
  await pass(quietMs + lookMs);
  expect(kinds().filter((line) => line.startsWith('mail'))).toEqual([
    'mail begun disk-full',
    'mail begun database-away',
    'mail over disk-full',
  ]);
});

test('one that comes and goes is told once an hour at most', async () => {
  await using open = await openSite();
  const { site, kinds, pass } = open;
  const away = async () => {
    site.failure = 'away';
    await pass(3 * minuteMs);
    site.failure = null;
    await pass(quietMs + 2 * minuteMs);
  };
  await away();
  expect(kinds().filter((line) => line.startsWith('mail'))).toHaveLength(2);
  for (let time = 1; time < 4; time++) await away();
  expect(kinds().filter((line) => line.startsWith('mail'))).toHaveLength(2);
  await away();
  expect(kinds().filter((line) => line.startsWith('mail'))).toHaveLength(4);
});

test('what the database has told is not told again while it is away', async () => {
  await using open = await openSite();
  const { site, kinds, pass } = open;
  site.state = { ...usual, disk: { free: gigabyte / 2, total: 14 * gigabyte } };
  await pass(3 * minuteMs);
  expect(kinds()).toEqual(['webhook begun disk-full', 'mail begun disk-full']);
  site.failure = 'away';
  await pass(30 * minuteMs);
  expect(kinds().slice(2)).toEqual(['webhook begun database-away', 'mail begun database-away']);
  site.failure = null;
  await pass(30 * minuteMs);
  expect(kinds().slice(4)).toEqual(['webhook over database-away', 'mail over database-away']);
});

test.for(engines)(
  'a message that nobody takes meanwhile is sent after the return, on $name',
  async (engine) => {
    await using open = await openSite(engine);
    const { site, kinds, pass } = open;
    site.failure = 'away';
    site.isWebhookDown = true;
    await pass(5 * minuteMs);
    expect(kinds()).toEqual(['mail begun database-away']);
    site.failure = null;
    site.isWebhookDown = false;
    await pass(lookMs);
    expect(kinds().slice(1)).toEqual(['webhook begun database-away']);
  },
);

test('a disk that takes some rows and refuses others does not silence it', async () => {
  await using open = await openSite();
  const { site, kinds, pass } = open;
  site.state = { ...usual, database: 'SQLite', disk: { free: 0, total: gigabyte } };
  site.failure = 'database or disk is full';
  site.takesLeases = true;
  await pass(3 * minuteMs);
  expect(kinds()).toEqual(['webhook begun disk-full', 'mail begun disk-full']);
});

test('a start that fails for the database is told once an hour, and becomes an alarm that ends', async () => {
  await using open = await openSite();
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-failed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const received: string[] = [];
  let isDown = true;
  const senders = {
    async mail({ kind, alarm }: AlarmMessage) {
      if (isDown) throw new Error('away');
      received.push(`${kind} ${alarm.condition}: ${alarm.text}`);
    },
  };
  const start = (error: unknown, now: number) =>
    tellOfFailedStart({ environment: { DATA_DIR: folder }, error }, senders, now);
  const away = new DatabaseNotOpened('DATABASE_URL: connect ECONNREFUSED 10.0.0.5:5432');
  const first = 1_790_000_000_000;

  await expect(start(away, first)).rejects.toThrow();
  isDown = false;
  await start(away, first + 2000);
  await start(away, first + 4000);
  await start(new Error('a mistake of ours'), first + 6000);
  expect(received).toEqual([`begun database-away: ${hostname()}: ${away.message}. The site does not start.`]);
  await start(away, first + 2000 + 60 * minuteMs);
  expect(received).toHaveLength(2);

  await takeOverFailedStarts(folder, open.store);
  await takeOverFailedStarts(folder, open.store);
  expect(await open.store.lasting()).toMatchObject([
    { condition: 'database-away', notifiedAt: first + 2000 + 60 * minuteMs },
  ]);
  await open.pass(60 * minuteMs + 2 * quietMs);
  expect(open.kinds()).toEqual(['webhook over database-away', 'mail over database-away']);
});
