import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { openPage, untilAddress, untilScriptsRun } from '../support/browser.ts';
import { type Front, startFront } from '../support/front.ts';
import type { Journey } from '../support/journey.ts';
import { numberedId } from '../support/platform.ts';
import { startProduct } from '../support/product.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { until } from '../support/until.ts';

let journey: Journey;
let browser: Browser;
let front: Front;
let context: BrowserContext | undefined;

beforeAll(async () => {
  [journey, browser] = await Promise.all([sharedJourney(), sharedBrowser()]);
  front = await startFront(journey.product.origin);
});
afterEach(async () => {
  await context?.close();
  front.target = journey.product.origin;
  front.isRebuilt = false;
  front.stalled.clear();
});
afterAll(async () => {
  await front.stop();
});

/** A visitor of the site, whose device has its worker and caches. */
async function visit(path: string) {
  const watched = await openPage(browser, front.origin, { serviceWorkers: 'allow' });
  context = watched.context;
  await watched.page.goto(path);
  await untilKept(watched.page, path);
  return { ...watched, context };
}

const untilKept = (page: Page, path: string) =>
  until('the worker has kept the page', () =>
    page.evaluate(
      async (wanted) =>
        navigator.serviceWorker.controller !== null && (await caches.match(wanted)) !== undefined,
      path,
    ),
  );

const numberedLinks = (count: number) =>
  Array.from({ length: count }, (_, at) => `https://www.tiktok.com/@a/video/${numberedId(at)}`).join('\n');

const hasWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/'))?.waiting != null);

const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname + new URL(url).search);
  });

const cacheNames = (page: Page) => page.evaluate(async () => (await caches.keys()).sort());

/** The only errors are those of the missing network. */
const others = (problems: readonly string[]) =>
  problems.filter((text) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(text));

test('without a network: cached pages, and otherwise a page in the visitor’s language that reloads by itself', async () => {
  const { page, context: visitor, problems } = await visit('/de/tiktok-downloader');
  await visitor.setOffline(true);
  await page.goto('/de/tiktok-downloader?utm_source=a');
  await page.getByRole('button', { name: 'Herunterladen' }).waitFor();
  await page.goto('/de');
  await untilScriptsRun(page);
  await page.goto('/de/contact');
  expect(await page.textContent('h1')).toBe('Du bist offline');
  expect(await page.getAttribute('html', 'lang')).toBe('de');
  // A link inside the site leads to the same page, not to an error.
  await page.goto('/de');
  await untilScriptsRun(page);
  await page.locator('footer a[href="/de/dmca"]').click();
  await page.getByRole('heading', { name: 'Du bist offline' }).waitFor();
  await visitor.setOffline(false);
  await page.locator('form.message-form, form').first().waitFor();
  await page.waitForFunction(() => document.querySelector('h1')?.textContent !== 'Du bist offline');
  expect(others(problems)).toEqual([]);
});

test('keeps a link that is typed without a network, and looks it up when the network is back', {
  skip: !isAudit,
}, async () => {
  const { page, context: visitor, problems } = await visit('/');
  const link = journey.platform.link('ordinary');
  await visitor.setOffline(true);
  await page.locator('#link').fill(link);
  await page.locator('.link-submit').click();
  await page.locator('#tool-failure-hint').getByText('as soon as you’re back online').waitFor();
  // Reloading loses nothing.
  await page.reload();
  await page.getByText('Your link is safe.').waitFor();
  expect(await page.inputValue('#link')).toBe(link);
  // Typing on the stand-in page also loses nothing.
  await page.goto('/contact');
  await page.locator('#link').fill(link);
  await page.reload();
  expect(await page.inputValue('#link')).toBe(link);
  await visitor.setOffline(false);
  await page.locator('.result').waitFor();
  expect(others(problems)).toEqual([]);
});

test('looks up a link that is shared to the installed app, and keeps a shared export on the device', async () => {
  const { page, context } = await visit('/');
  // What the browser installs; without the worker, nothing but texts is shared with the app.
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.getAppManifest');
  const { share_target: target } = JSON.parse(data ?? '') as {
    share_target: { action: string; method: string; enctype: string };
  };
  expect(target).toMatchObject({ action: '/many-posts', method: 'POST' });
  // A form sends the same navigation as a share sheet.
  const share = (text: string, file: string | null) =>
    page.evaluate(
      ([{ action, method, enctype }, shared, content]) => {
        const form = Object.assign(document.createElement('form'), { action, method, enctype });
        form.append(Object.assign(document.createElement('textarea'), { name: 'text', value: shared }));
        const files = Object.assign(document.createElement('input'), { type: 'file', name: 'files' });
        const held = new DataTransfer();
        if (content !== null) held.items.add(new File([content], 'links.txt'));
        files.files = held.files;
        form.append(files);
        document.body.append(form);
        form.submit();
      },
      [target, text, file] as const,
    );
  await share('', numberedLinks(30));
  await page.getByRole('checkbox', { name: /Posts: 30/ }).waitFor();
  await share(`Check this out! ${journey.platform.link('ordinary')} #fyp`, null);
  await page.locator('.result').waitFor();
  // Neither a visitor's own pages nor API responses are cached.
  const kept = await keptPaths(page);
  expect(kept).toContain('/');
  expect(kept.filter((path) => path.includes('?') || path.startsWith('/api'))).toEqual([]);
});

test('does not wait for a slow network when there is a copy', { skip: !isAudit }, async () => {
  const { page } = await visit('/tiktok-downloader');
  front.stalled.add('/tiktok-downloader');
  await page.goto('/tiktok-downloader');
  await untilScriptsRun(page);
});

test('a new version waits for the tabs of the old one, which keep its files, and then takes over', async () => {
  const { page: old, context: visitor } = await visit('/');
  await untilScriptsRun(old);
  const before = await cacheNames(old);
  const oldFile = (await keptPaths(old)).find((path) => /\/_app\/frame/.test(path)) ?? '';
  front.isRebuilt = true;
  expect((await fetch(front.origin + oldFile)).status).toBe(404);

  const next = await visitor.newPage();
  await next.goto('/contact');
  await untilScriptsRun(next);
  await until('the new worker waits', () => hasWaiting(next));
  // The old tab has all of its own files, and no others.
  expect(await old.evaluate(async (file) => (await fetch(file)).status, oldFile)).toBe(200);
  expect(await cacheNames(old)).toEqual(expect.arrayContaining(before));

  // Its next page comes whole from the new version: its scripts could not read the new one's data.
  await old.evaluate(() => {
    Object.assign(globalThis, { isOldDocument: true });
    // The old page stays until then.
    new MutationObserver(() => {
      if (document.querySelector('footer') === null) sessionStorage.setItem('was-blank', '');
    }).observe(document, { childList: true, subtree: true });
  });
  await old.locator('footer a[href="/dmca"]').click();
  await untilAddress(old, '/dmca');
  await untilScriptsRun(old);
  expect(await old.evaluate(() => 'isOldDocument' in globalThis || 'was-blank' in sessionStorage)).toBe(
    false,
  );
  // The old version has no open tab any more, which the old worker notices at the next request.
  const newFile = await old.evaluate(
    () => document.querySelector<HTMLLinkElement>('link[href*="/_app/"]')?.href,
  );
  // Chromium stops an idle worker so that another can take over, but not one that a tool like this one watches.
  const devTools = await visitor.newCDPSession(old);
  await devTools.send('ServiceWorker.enable');
  const keepsOld = async () => {
    if ((await cacheNames(old)).every((name) => !before.includes(name))) return false;
    await devTools.send('ServiceWorker.stopAllWorkers');
    await old.evaluate((file) => fetch(file), newFile ?? '');
    return true;
  };
  // Between two checks both workers have the time that they need.
  await expect.poll(keepsOld, { interval: 1000 }).toBe(false);
  expect(await hasWaiting(old)).toBe(false);
  // From here on pages change again without a document load.
  await old.evaluate('globalThis.isSameDocument = true');
  await old.locator('footer a[href="/contact"]').click();
  await untilAddress(old, '/contact');
  expect(await old.evaluate(() => 'isSameDocument' in globalThis)).toBe(true);
});

test('a withdrawn worker removes itself and everything it stored', { skip: !isAudit }, async () => {
  const withdrawn = await startProduct({ env: { SERVICE_WORKER: 'off' } });
  const { page } = await visit('/');
  front.target = withdrawn.origin;
  await page.goto('/contact');
  await until('nothing is left', () =>
    page.evaluate(
      async () =>
        (await caches.keys()).length === 0 &&
        (await navigator.serviceWorker.getRegistration('/')) === undefined,
    ),
  );
  await page.goto('/');
  await untilScriptsRun(page);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  const policy = (await fetch(`${withdrawn.origin}/`)).headers.get('content-security-policy');
  expect(policy).not.toMatch(/trusted-types [^;]*service-workers/);
  await withdrawn.stop();
});

test('a browser without service workers works, and logs that for developers', {
  skip: !isAudit,
}, async () => {
  const { page, context: visitor, problems } = await openPage(browser, front.origin);
  context = visitor;
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
  });
  const reported = page.waitForEvent('console', (message) =>
    message.text().includes('This browser does not support service workers'),
  );
  await page.goto('/');
  expect((await reported).type()).toBe('debug');
  await page.locator('#link').fill(journey.platform.link('ordinary'));
  await page.locator('.link-submit').click();
  await page.locator('.result').waitFor();
  expect(problems).toEqual([]);
});

test('pages can register the workers of the site and no other script', async () => {
  const { page, problems } = await visit('/');
  const answer = await page.reload();
  expect(answer?.headers()['content-security-policy']).toMatch(/trusted-types (?:\S+ )*service-workers[ ;]/);
  const refused = await page.evaluate(() =>
    navigator.serviceWorker.register('/sw.js').then(
      () => null,
      (error: Error) => error.name,
    ),
  );
  expect(refused).toBe('TypeError');
  const worker = await fetch(`${front.origin}/sw.js`);
  expect(worker.headers.get('content-type')).toContain('text/javascript');
  expect(worker.headers.get('cache-control')).toBe('no-cache');
  expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
  expect(problems.filter((text) => !/TrustedScript/i.test(text))).toEqual([]);
});
