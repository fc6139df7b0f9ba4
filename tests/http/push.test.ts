import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPushStore, withPush } from '../../src/features/push/push-store.ts';
import type { Database } from '../../src/stores/contracts/database.ts';
import { openSqliteDatabase } from '../../src/stores/embedded/sqlite-database.ts';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { operatorPassword, visitDesk } from '../support/desk.ts';
import { endWithTests } from '../support/processes.ts';
import { makeDataFolder, type RunningProduct, startProduct } from '../support/product.ts';
import { makeDevice, type PushDevice, type PushService, startPushService } from '../support/push-service.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { until } from '../support/until.ts';

const dataFolder = makeDataFolder();
let service: PushService;
let product: RunningProduct;
let env: Record<string, string>;
let device: PushDevice;

beforeAll(async () => {
  service = await startPushService();
  const keys = await runCli(['push', 'keys', '--json'], {});
  const { publicKey, privateKey } = JSON.parse(keys.output) as { publicKey: string; privateKey: string };
  env = {
    ...service.env,
    DATA_DIR: dataFolder,
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: 'mailto:operator@site.example',
    OPERATOR_PASSWORD: operatorPassword,
  };
  product = await startProduct({ env, dataFolder });
  device = makeDevice();
});
beforeEach(() => {
  service.delivered.length = 0;
  service.answers.clear();
});
afterEach(() =>
  withStore(async (query) => {
    await withPush(query).deleteFrom('push_subscriptions').execute();
  }),
);
afterAll(async () => {
  await product.stop();
  await service.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

const path = '/index.php/sub/register';
/** The length of a key, but not a point on the curve. */
const madeUpKey = Buffer.from([4, ...Array(64).fill(7)]).toString('base64url');

function sendSubscription(method: 'POST' | 'DELETE', body: object, { origin } = product) {
  return fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const registration = (name: string, changes: object = {}) => ({
  language: 'en',
  diff_time: 3600,
  device_model: 'desktop',
  app_id: 'clipferry',
  endpoint: service.endpoint(name),
  auth: device.auth,
  pdhkey: device.pdhkey,
  explorer: 'Chromium',
  explorer_version: '150',
  ...changes,
});

const register = async (name: string, changes: object = {}) =>
  (await sendSubscription('POST', registration(name, changes))).status;

async function send(...words: string[]) {
  const { code, output, errors } = await runCli(['push', 'send', '--json', ...words], env);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(output);
}

const devices = () => service.delivered.map((one) => one.device).sort();

test('a device registers, receives messages, and is forgotten when its subscription has ended', async () => {
  const { paths } = (await (await fetch(`${product.origin}/api/openapi.json`)).json()) as { paths: object };
  expect(paths).toHaveProperty([path, 'post']);
  const outcomes = () =>
    Promise.all(
      ['sent', 'gone', 'refused'].map((outcome) =>
        product.metric('clipferry_push_notifications_total', { outcome }),
      ),
    );
  const [sentBefore = 0, goneBefore = 0, refusedBefore = 0] = await outcomes();
  const answer = await sendSubscription('POST', registration('a'));
  expect([answer.status, await answer.json()]).toEqual([200, { code: 200 }]);
  expect(await register('b', { language: 'de' })).toBe(200);
  // Registering the same endpoint again updates it.
  expect(await register('b', { language: 'fr' })).toBe(200);
  const dry = await runCli(['push', 'send', '--title', 'News', '--dry-run'], env);
  expect(dry.output).toBe('Would send "News" to 2.\n');

  const sent = await send(
    '--title',
    'Nouvelles',
    '--body',
    'Ça vient',
    '--url',
    '/fr/posts',
    '--language',
    'fr',
  );
  expect(sent.messages).toMatchObject([{ sent: 1, gone: 0, givenUp: 0, isOpen: false }]);
  const [delivered] = service.delivered;
  expect(delivered?.device).toBe('b');
  expect(delivered?.headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' });
  expect(delivered?.headers.authorization).toContain(`k=${env.VAPID_PUBLIC_KEY}`);
  expect(JSON.parse(device.read(delivered?.body ?? Buffer.alloc(0)))).toEqual({
    title: 'Nouvelles',
    body: 'Ça vient',
    url: '/fr/posts',
    tag: delivered?.headers.topic,
    language: 'fr',
  });

  service.delivered.length = 0;
  service.answers.set('b', { status: 410 });
  expect((await send('--title', 'News')).messages).toMatchObject([{ sent: 1, gone: 1 }]);
  expect((await send('--title', 'More')).messages).toMatchObject([{ sent: 1, gone: 0 }]);
  expect(devices()).toEqual(['a', 'a', 'b']);
  // Another process has sent them; the site still counts them.
  expect(await outcomes()).toEqual([sentBefore + 3, goneBefore + 1, refusedBefore]);
  expect(await product.metric('clipferry_push_subscriptions')).toBe(1);
  expect(await product.metric('clipferry_push_queued')).toBe(0);

  expect((await sendSubscription('DELETE', { endpoint: service.endpoint('a') })).status).toBe(200);
  expect((await send('--title', 'Last')).messages).toMatchObject([{ sent: 0 }]);
});

test('the desk shows a message in its languages before it is sent, and its progress', async () => {
  const desk = visitDesk({ get: (address, init) => fetch(product.origin + address, init) });
  await desk.logIn();
  await register('a', { language: 'de' });
  await register('b', { language: 'fr' });
  const wish = { title: 'Neues <hier>', body: 'Es geht wieder.', url: '/de/posts', language: 'de' };
  const preview = await desk.send('/operator/push', 'preview', wish);
  expect(preview.status).toBe(200);
  expect(preview.html).toMatch(/<strong>Neues &lt;hier&gt;<\/strong>.*>1<\/div>/s);
  for (const [field, wrong] of [
    ['title', { ...wish, title: '' }],
    ['url', { ...wish, url: 'https://elsewhere.example/' }],
    ['language', { ...wish, language: 'xx' }],
    ['article', { ...wish, article: 'no-such-article' }],
  ] as const) {
    const refused = await desk.send('/operator/push', 'send', wrong);
    expect([refused.status, refused.notice]).toEqual([422, expect.stringMatching(`^${field}: `)]);
  }
  expect(service.delivered).toEqual([]);
  expect((await desk.send('/operator/push', 'send', wish)).status).toBe(303);
  await until('it is sent', () => devices().join() === 'a', 30_000);
  await until('the desk knows', async () => />finished</.test(await desk.read('/operator/push')));
});

test('announces an article to the readers of its language', { skip: !isAudit }, async () => {
  await register('english');
  await register('german', { language: 'de' });
  // An unpublished article is not announced.
  const taken = ['posts', 'unpublish', 'archive-your-tiktok-posts', '--locale', 'de'];
  expect((await runCli(taken, env)).code).toBe(0);
  const { messages } = await send('--article', 'archive-your-tiktok-posts');
  expect(messages).toContainEqual(
    expect.objectContaining({ language: 'en', url: '/archive-your-tiktok-posts', sent: 1 }),
  );
  expect(devices()).toEqual(['english']);
  const unknown = await runCli(['push', 'send', '--article', 'no-such-article'], env);
  expect([unknown.code, unknown.errors.split('\n')[0]]).toEqual([
    2,
    'error: --article: there is no article "no-such-article"',
  ]);
});

test.each([
  ['a foreign endpoint', { endpoint: 'https://evil.example/push' }, 422],
  ['an address of this machine', { endpoint: 'https://127.0.0.1/push' }, 422],
  ['no address', { endpoint: 'push' }, 422],
  ['no text', { endpoint: { a: 1 } }, 422],
  ['a wrong secret', { auth: 'short' }, 400],
  ['a key that is no point of the curve', { pdhkey: madeUpKey }, 400],
  ['a host with an empty label', { endpoint: 'https://.notify.windows.com/' }, 422],
  ['a host several labels down', { endpoint: 'https://a.b.notify.windows.com/' }, 422],
  ['a fragment', { endpoint: 'https://fcm.googleapis.com/fcm/send/a#b' }, 422],
  ['a language that there is not', { language: 'xx' }, 400],
  ['no time zone', { diff_time: 'noon' }, 400],
])('refuses %s', async (_, changes, status) => {
  const answer = await sendSubscription('POST', registration('wrong', changes));
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ code: status, error: { key: 'request_invalid' } });
});

test('a device with an invented key, already in the database, affects nobody else', async () => {
  for (const name of ['a', 'b', 'poison', 'c']) expect(await register(name)).toBe(200);
  await withStore(async (query) => {
    await withPush(query)
      .updateTable('push_subscriptions')
      .set({ pdhkey: madeUpKey })
      .where('endpoint', '=', service.endpoint('poison'))
      .execute();
  });
  const first = await send('--title', 'Hello');
  expect(first.messages).toMatchObject([{ sent: 3, givenUp: 1, isOpen: false }]);
  expect(first.problem).toMatch(/^No notification can be made for subscription \d+: /);
  expect((await send('--title', 'Later')).messages).toMatchObject([{ sent: 3, givenUp: 1, isOpen: false }]);
  expect(devices()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
});

test('a killed command loses nobody, and repeats one batch at most', {
  skip: !isAudit,
  timeout: 60_000,
}, async () => {
  const names = Array.from({ length: 320 }, (_, n) => `many-${n}`);
  // More than one visitor may register in a minute.
  await withStore(async (query) => {
    const store = createPushStore(query, Date.now);
    for (const name of names) await store.register(registration(name));
  });
  const killed = spawn(process.execPath, ['src/app/cli/main.ts', 'push', 'send', '--title', 'Many'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  });
  endWithTests(killed);
  const ended = once(killed, 'exit');
  // In the middle of its fourth batch, however fast or slow the machine is: the service does not answer it.
  service.onDelivered = () => {
    if (service.delivered.length > 100) killed.kill('SIGKILL');
  };
  await ended;
  service.onDelivered = null;
  expect(service.delivered.length).toBeGreaterThan(100);
  expect(service.delivered.length).toBeLessThan(names.length);
  // Another command takes over at once, and has nobody for its own message.
  await send('--title', 'Viele', '--language', 'de');
  const received = devices();
  expect([...new Set(received)]).toEqual([...names].sort());
  expect(received.length - names.length).toBeLessThanOrEqual(32);
});

describe.each(journeyEngines)('on $name', (engine) => {
  test('refuses control characters, and devices beyond the hourly limit', async () => {
    const place = await engine.makePlace();
    const { DATA_DIR: _, ...withoutFolder } = env;
    const bounded = await startProduct({
      env: { ...withoutFolder, ...place.environment, SUBSCRIPTIONS_PER_HOUR: '2' },
    });
    try {
      const statusOf = async (changes: object) =>
        (await sendSubscription('POST', registration('odd', changes), bounded)).status;
      for (const field of ['device_model', 'app_id', 'explorer', 'explorer_version', 'language'])
        for (const text of ['a\0b', '\u001b[2J'])
          expect([field, await statusOf({ [field]: text })]).toEqual([field, 400]);
      expect(await statusOf({ endpoint: `${service.endpoint('a')}\0` })).toBe(400);
      expect((await sendSubscription('DELETE', { endpoint: 'a\0b' }, bounded)).status).toBe(400);

      const add = (name: string) => sendSubscription('POST', registration(name), bounded);
      for (const name of ['a', 'b', 'a', 'b']) expect((await add(name)).status).toBe(200);
      const refused = await add('c');
      expect(refused.status).toBe(429);
      expect(await refused.json()).toMatchObject({ code: 429, error: { key: 'rate_limited' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
      // A known device is still updated.
      expect((await add('b')).status).toBe(200);
      const table = 'push_subscriptions';
      expect(await bounded.metric('clipferry_rows_refused_total', { table })).toBe(1);
      const commandEnv = { DATA_DIR: bounded.dataFolder, ...place.environment };
      await vi.waitFor(async () => {
        const { output } = await runCli(['push', 'list', '--json'], commandEnv);
        expect(JSON.parse(output)).toMatchObject({ messages: [], refused: 1 });
      }, 20_000);
    } finally {
      await bounded.stop();
      await place.remove();
    }
  });
});

/** Queries the product's database directly. */
async function withStore(task: (query: Database['query']) => Promise<void>): Promise<void> {
  const database = openSqliteDatabase(join(dataFolder, 'clipferry.db'));
  await task(database.query);
  await database.close();
}

test('without keys there is no endpoint, no worker, and no trace of it on a page', {
  skip: !isAudit,
}, async () => {
  const { product: bare } = await sharedJourney();
  const posted = await fetch(bare.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(registration('a')),
  });
  expect(posted.status).not.toBe(200);
  expect((await fetch(`${bare.origin}/webpush/sw.js`)).status).toBe(404);
  expect(await (await fetch(`${bare.origin}/api/openapi.json`)).text()).not.toContain(path);
  expect(await (await fetch(bare.origin)).text()).not.toMatch(/vapid|webpush/i);
  const { code, errors } = await runCli(['push', 'send', '--title', 'a'], { DATA_DIR: bare.dataFolder });
  expect([code, errors]).toEqual([1, 'There are no VAPID keys: see "push keys".\n']);
});
