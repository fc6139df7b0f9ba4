import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { launchBrowser, openPage, untilScriptsRun } from '../support/browser.ts';
import { runCli } from '../support/cli.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { makeDevice, type PushDevice } from '../support/push-service.ts';
import { siteFile } from '../support/site-file.ts';
import { type SubscriptionServer, startSubscriptionServer } from '../support/subscription-server.ts';
import { until } from '../support/until.ts';

const VAPID_SUBJECT = 'mailto:operator@site.example';

let asked: Journey;
let keys: { readonly VAPID_PUBLIC_KEY: string; readonly VAPID_PRIVATE_KEY: string };
let keeper: SubscriptionServer;
let browser: Browser;
let device: PushDevice;
let context: BrowserContext | undefined;

beforeAll(async () => {
  const { output } = await runCli(['push', 'keys', '--json'], {});
  const { publicKey, privateKey } = JSON.parse(output) as { publicKey: string; privateKey: string };
  keys = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey };
  device = makeDevice();
  [asked, browser, keeper] = await Promise.all([
    startJourney({ env: { ...keys, VAPID_SUBJECT } }),
    launchBrowser({ isWhole: true }),
    startSubscriptionServer(),
  ]);
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser.close();
  await asked.stop();
  keeper.stop();
});

/** Opens a page with a simulated push service; this machine's browser has none. */
async function visit({ product }: Journey, path: string) {
  const watched = await openPage(browser, product.origin, { serviceWorkers: 'allow' });
  context = watched.context;
  const { pdhkey, auth } = device;
  await watched.page.addInitScript(
    ({ p256dh, secret }) => {
      // Permission was granted, but only after the question.
      Object.defineProperty(Notification, 'permission', {
        get: () => (sessionStorage.getItem('asked') === null ? 'default' : 'granted'),
      });
      let present: object | null = null;
      Object.assign(PushManager.prototype, {
        getSubscription: async () => present,
        subscribe: async (options: { applicationServerKey: string }) => {
          sessionStorage.setItem('asked', options.applicationServerKey);
          const endpoint = 'https://fcm.googleapis.com/fcm/send/device';
          const key = options.applicationServerKey.replaceAll('-', '+').replaceAll('_', '/');
          const bytes = Uint8Array.from(atob(key), (sign) => sign.charCodeAt(0));
          present = {
            endpoint,
            options: { applicationServerKey: bytes.buffer },
            toJSON: () => ({ endpoint, keys: { p256dh, auth: secret } }),
            unsubscribe: async () => {
              present = null;
              return true;
            },
          };
          return present;
        },
      });
    },
    { p256dh: pdhkey, secret: auth },
  );
  const registered: unknown[] = [];
  watched.page.on('request', (request) => {
    if (request.url().endsWith('/index.php/sub/register'))
      registered.push({ method: request.method(), ...(request.postDataJSON() as object) });
  });
  await watched.page.goto(path);
  await untilScriptsRun(watched.page);
  return { ...watched, context, registered };
}

const wasAsked = (page: Page) => page.evaluate(() => sessionStorage.getItem('asked') !== null);

async function cookies(visitor: BrowserContext): Promise<string[]> {
  return (await visitor.cookies()).map(({ name }) => name);
}

test('the browser asks only after a press of the switch; a second press forgets the device', async () => {
  const { page, context: visitor, registered, problems } = await visit(asked, '/de');
  const toggle = page.getByRole('switch', { name: 'Benachrichtigungen' });
  await toggle.waitFor();
  expect(await wasAsked(page)).toBe(false);
  expect(await cookies(visitor)).not.toContain('online_user');
  await toggle.click();
  await page.getByText('Benachrichtigungen sind auf diesem Gerät an.').waitFor();
  await page.locator('.push-switch[aria-checked="true"]').waitFor();
  expect(registered).toMatchObject([
    { method: 'POST', language: 'de', app_id: 'clipferry', device_model: 'desktop', explorer: 'Chrome' },
  ]);
  const online = (await visitor.cookies()).find(({ name }) => name === 'online_user');
  expect(Math.round(((online?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
  await toggle.click();
  await page.locator('.push-switch[aria-checked="false"]').waitFor();
  await until('the server was told', () => registered.length === 2);
  expect(registered[1]).toMatchObject({ method: 'DELETE' });
  expect(await cookies(visitor)).not.toContain('online_user');
  expect(problems).toEqual([]);
});

test('a card offers notifications after a download, and stays away once it was closed', {
  skip: !isAudit,
}, async () => {
  const { page, registered, problems } = await visit(asked, `/?url=${asked.platform.link('ordinary')}`);
  const save = async () => {
    const download = page.waitForEvent('download');
    await page
      .getByRole('link', { name: /Download video/ })
      .first()
      .click();
    // The message about success is for a file that has arrived.
    expect(await (await download).failure()).toBeNull();
  };
  await page.locator('.push-switch:not([hidden])').waitFor();
  expect(await page.locator('.push-card').count()).toBe(0);
  await save();
  await page.getByText('Want to know when there’s a new guide or feature?').waitFor();
  await page.getByRole('button', { name: 'No thanks' }).click();
  expect(await page.locator('.push-card').count()).toBe(0);
  await page.reload();
  await page.locator('.push-switch:not([hidden])').waitFor();
  await save();
  await page.locator('.option-link[data-stage="saved"]').waitFor();
  expect(await page.locator('.push-card').count()).toBe(0);
  await page.context().clearCookies();
  await page.reload();
  await page.locator('.push-switch:not([hidden])').waitFor();
  await save();
  await page.getByRole('button', { name: 'Notify me' }).click();
  await page.getByText('Notifications are on for this device.').first().waitFor();
  expect(registered).toMatchObject([{ method: 'POST', language: 'en' }]);
  expect(problems).toEqual([]);
});

describe.runIf(isAudit)('a site that does not wait for a button', () => {
  let immediate: Journey;
  beforeAll(async () => {
    const SITE_CONFIG = siteFile({ push: { prompt: 'immediate' } });
    immediate = await startJourney({
      platform: asked.platform,
      env: { ...keys, VAPID_SUBJECT, SITE_CONFIG },
    });
  });
  afterAll(() => immediate.stop());

  test('subscribes seven seconds after the start', async () => {
    const { page, context: visitor, registered } = await visit(immediate, '/');
    const started = performance.now();
    await until('it is registered', () => registered.length === 1, 15_000);
    expect(performance.now() - started).toBeGreaterThan(5000);
    await until('the device is marked', async () => (await cookies(visitor)).includes('online_user'));
    expect(await wasAsked(page)).toBe(true);
  });

  test('subscribes a device again that has lost its subscription', async () => {
    const { page, context: visitor, registered } = await visit(immediate, '/');
    await until('it is registered', () => registered.length === 1, 15_000);
    await visitor.clearCookies({ name: 'online_user' });
    // The simulated service forgets the subscription with the document; the permission stays.
    await page.reload();
    await until('it is registered again', () => registered.length === 2, 15_000);
    expect(registered[1]).toMatchObject({ method: 'POST' });
  });

  test('does not subscribe a visitor again who has turned notifications off', async () => {
    const { page, registered } = await visit(immediate, '/');
    await until('it is registered', () => registered.length === 1, 15_000);
    await page.locator('.push-switch[aria-checked="true"]').click();
    await until('the server was told', () => registered.length === 2);
    await page.clock.install();
    await page.reload();
    await untilScriptsRun(page);
    await page.clock.runFor(1000);
    await page.locator('.push-switch[aria-checked="false"]:not([hidden])').waitFor();
    await page.clock.runFor(20_000);
    await page.evaluate(() => navigator.serviceWorker.getRegistration('/webpush/'));
    expect(registered.slice(2)).toEqual([]);
    await page.locator('.push-switch').click();
    await until('it is registered when the visitor wants it', () => registered.length === 3);
  });
});

test('the worker shows what is sent, once, and serves no pages', async () => {
  const { page, context: visitor } = await visit(asked, '/');
  await visitor.grantPermissions(['notifications']);
  await page.getByRole('switch').click();
  await page.locator('.push-switch[aria-checked="true"]').waitFor();
  const cdp = await visitor.newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/webpush/'));
      if (own !== undefined) resolve(own.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await found;
  const data = JSON.stringify({
    title: 'News',
    body: 'Fresh',
    url: '/posts',
    tag: 'message-1',
    language: 'en',
  });
  for (let time = 0; time < 2; time += 1)
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin: asked.product.origin,
      registrationId,
      data,
    });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/webpush/');
      const all = (await registration?.getNotifications()) ?? [];
      return all.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  await until('it is shown', async () => (await shown()).length > 0);
  expect(await shown()).toEqual([{ title: 'News', body: 'Fresh', tag: 'message-1' }]);
});

test('notifies another server when that one stores the subscriptions, and not this one', {
  skip: !isAudit,
}, async () => {
  // Only the other server's own key is known.
  const elsewhere = await startJourney({
    platform: asked.platform,
    env: {
      VAPID_PUBLIC_KEY: keys.VAPID_PUBLIC_KEY,
      SITE_CONFIG: siteFile({ push_url: `${keeper.origin}/keeper/` }),
    },
  });
  const { page, context: visitor, problems } = await visit(elsewhere, '/ja');
  const toggle = page.locator('.push-switch');
  await toggle.click();
  await page.locator('.push-switch[aria-checked="true"]').waitFor();
  expect(keeper.registered).toMatchObject([
    { method: 'POST', language: 'ja', app_id: 'clipferry', pdhkey: device.pdhkey, auth: device.auth },
  ]);
  expect(await cookies(visitor)).toContain('online_user');
  await toggle.click();
  await until('it was told of the end', () => keeper.registered.length === 2);
  expect(keeper.registered[1]).toMatchObject({ method: 'DELETE' });
  expect((await elsewhere.get('/index.php/sub/register', { method: 'POST' })).status).not.toBe(200);
  const worker = await elsewhere.get('/webpush/sw.js');
  expect(worker.headers.get('content-security-policy')).toContain(`connect-src 'self' ${keeper.origin}`);
  expect(problems.filter((problem) => !problem.startsWith(`asked ${keeper.origin}/`))).toEqual([]);
  await elsewhere.stop();
});

/** Notifies the device's worker of a changed subscription; returns the effect. */
async function changeSubscription(visitor: BrowserContext, endpoint: string): Promise<void> {
  const find = () => visitor.serviceWorkers().find((one) => one.url().endsWith('/webpush/sw.js'));
  await until('the worker runs', () => find() !== undefined);
  await find()?.evaluate(
    ({ next, p256dh, secret }) => {
      const subscription = {
        endpoint: next,
        toJSON: () => ({ endpoint: next, keys: { p256dh, auth: secret } }),
      };
      const event = Object.assign(new Event('pushsubscriptionchange'), {
        oldSubscription: { endpoint: 'https://fcm.googleapis.com/fcm/send/device' },
        newSubscription: subscription,
      });
      return new Promise((resolve) => {
        // Only the browser can extend a worker's life.
        dispatchEvent(Object.assign(event, { waitUntil: resolve }));
      });
    },
    { next: endpoint, p256dh: device.pdhkey, secret: device.auth },
  );
}

test('a subscription that the browser renews silently replaces the old one', { skip: !isAudit }, async () => {
  const { page, context: visitor } = await visit(asked, '/de');
  await page.getByRole('switch').click();
  await page.locator('.push-switch[aria-checked="true"]').waitFor();
  await changeSubscription(visitor, 'https://fcm.googleapis.com/fcm/send/renewed');
  const subscriptions = () => asked.product.metric('clipferry_push_subscriptions');
  const before = await subscriptions();
  const forget = (endpoint: string) =>
    asked.get('/index.php/sub/register', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint }),
    });
  // Only the new one is known.
  await forget('https://fcm.googleapis.com/fcm/send/device');
  expect(await subscriptions()).toBe(before);
  await forget('https://fcm.googleapis.com/fcm/send/renewed');
  expect(await subscriptions()).toBe(before - 1);
  // The next page handles a subscription that the server rejects.
  expect(await cookies(visitor)).toContain('online_user');
  await changeSubscription(visitor, 'https://evil.example/push');
  await until(
    'the device is not marked any more',
    async () => !(await cookies(visitor)).includes('online_user'),
  );
});
