import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import {
  launchBrowser,
  openPage,
  untilAddress,
  untilScriptsRun,
  type WatchedPage,
} from '../support/browser.ts';
import { type MonitoringServer, startMonitoringServer } from '../support/monitoring-server.ts';
import { pageFile } from '../support/page-code.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';
import { until } from '../support/until.ts';

let server: MonitoringServer;
let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  server = await startMonitoringServer();
  // Recordings are stored when an error occurs.
  const SITE_CONFIG = siteFile({ ...twoExperiments, monitoring: { session_sample_rate: 0 } });
  [product, browser] = await Promise.all([
    startProduct({ env: { SENTRY_DSN: server.dsn, SITE_CONFIG } }),
    launchBrowser({ isWhole: true }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
  server.close();
});
beforeEach(() => {
  server.reports.length = 0;
});

const typed = 'https://www.tiktok.com/@some.one/video/7615133378163811813';
const cookie = 'value-of-my-own-cookie';

/** A headless browser counts as a program, and the server times nothing for it. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

async function open(consent: string): Promise<WatchedPage> {
  const watched = await openPage(browser, product.origin, { userAgent });
  await watched.context.addCookies([
    { name: 'consent', value: consent, url: product.origin },
    { name: 'other', value: cookie, url: product.origin },
  ]);
  return watched;
}

const refused = '1.00';
const agreed = '1.10';

const fetched = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
const stored = (page: Page) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
const fail = (page: Page, message: string) =>
  page.evaluate((text) => {
    setTimeout(() => {
      throw new RangeError(text);
    });
  }, message);
const items = (type: string) =>
  server.reports.flatMap((one) => one.items.filter((item) => item.type === type));
const everything = () => server.reports.map(({ whole }) => whole).join('\n');

test('reports only errors without consent, and nothing that the visitor has typed or stores', async () => {
  const { page, context } = await open(refused);
  const violations: string[] = [];
  page.on(
    'console',
    (message) => /Content Security|Trusted/.test(message.text()) && violations.push(message.text()),
  );
  await page.goto(`/?q=${encodeURIComponent('my own words')}`);
  await untilScriptsRun(page);
  await page.locator('input[name="url"]').fill(`look ${typed}`);
  await fail(page, `no answer for look ${typed} (${cookie}, my own words)`);
  await until('the error arrives', () => items('event').length > 0);
  expect(items('event').map(({ payload }) => payload)).toEqual([
    expect.objectContaining({
      platform: 'javascript',
      environment: 'production',
      tags: { locale: 'en', device: 'desktop', os: 'linux', browser: 'chrome' },
      // The visitor’s address is the site’s own here.
      request: { url: `${product.origin.replace('127.0.0.1', '[…]')}/` },
      exception: {
        values: [
          expect.objectContaining({ type: 'RangeError', mechanism: { type: 'page', handled: false } }),
        ],
      },
    }),
  ]);
  for (const trace of ['tiktok', 'some.one', '76151333', cookie, 'my own', 'own+words', 'Chrome/'])
    expect(everything()).not.toContain(trace);
  expect(everything()).toContain('no answer for');
  expect(violations).toEqual([]);
  expect((await stored(page)).filter((name) => /sentry|replay|trace/i.test(name))).toEqual([]);
  expect((await fetched(page)).filter((path) => path.includes('recording'))).toEqual([]);
  expect(items('transaction')).toEqual([]);
  await context.close();
});

test('reports an error completely when the visitor has typed a word or stores a number of the report itself', {
  skip: !isAudit,
}, async () => {
  const { page, context } = await open(refused);
  // The first digits of every time in a report.
  const digits = String(Date.now()).slice(0, 4);
  await context.addCookies([{ name: 'digits', value: digits, url: product.origin }]);
  await page.goto('/contact');
  await untilScriptsRun(page);
  await page.locator('textarea').first().fill('timestamp\nexception\nstacktrace');
  await fail(page, 'worth a report');
  await until('the error arrives', () => everything().includes('worth a report'));
  await context.close();
});

test('also reports an error before the page’s scripts run, once', { skip: !isAudit }, async () => {
  const { page, context } = await open(refused);
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      void Promise.reject(new Error('far too early'));
    });
  });
  await page.goto('/contact');
  await until('the error arrives', () => everything().includes('far too early'));
  expect(items('event')).toHaveLength(1);
  await context.close();
});

test('reports a page whose code is missing', { skip: !isAudit }, async () => {
  const { page, context } = await open(refused);
  await page.goto('/contact');
  await untilScriptsRun(page);
  const file = await pageFile(product.origin, '/api');
  await context.route(`**${file}`, (route) => route.abort());
  // Marks that loading the page as a whole was tried.
  await page.evaluate(() => sessionStorage.setItem('loaded-whole', '/api'));
  await page.evaluate(() => {
    history.pushState(null, '', '/contact');
  });
  await page.locator('a[href="/api"]').first().click();
  await until('the error arrives', () => everything().includes('Loading chunk'));
  await context.close();
});

test('times pages and records visits masked with consent; both end when it is withdrawn', {
  skip: !isAudit,
}, async () => {
  const { page, context } = await open(agreed);
  await page.goto('/contact');
  await untilScriptsRun(page);
  await page.locator('textarea').first().fill('Hello, please call me back');
  await until('the timing arrives', () => items('transaction').length > 0, 20_000);
  expect(items('replay_recording')).toEqual([]);
  await fail(page, 'worth a recording');
  await until('the recording arrives', () => items('replay_recording').length > 0, 20_000);
  const [error, recording] = [items('event')[0]?.payload, items('replay_event')[0]?.payload];
  expect(error?.tags).toMatchObject({ replayId: recording?.replay_id });
  expect(recording?.error_ids).toContain(error?.event_id);
  const [timing] = items('transaction');
  expect(timing?.payload).toMatchObject({ transaction: '/contact', contexts: { trace: { op: 'pageload' } } });
  const heading = (await page.locator('h1').first().textContent()) ?? '?';
  for (const trace of [heading, 'call me back', cookie, 'Chrome/']) expect(everything()).not.toContain(trace);
  expect(JSON.stringify(items('replay_recording'))).toContain('"tagName":"textarea"');
  expect(JSON.stringify(items('replay_recording'))).toContain('***');
  expect((await stored(page)).filter((name) => /sentry|replay|trace/i.test(name))).toEqual([]);
  // A part of the recording waits, and a page is being timed.
  await page.locator('textarea').first().fill('Never mind');
  await page.locator('a[href="/api"]').first().click();
  await untilAddress(page, '/api');
  await page.evaluate((value) => {
    // biome-ignore lint/suspicious/noDocumentCookie: at once
    document.cookie = `consent=${value}; Path=/`;
    new BroadcastChannel('consent').postMessage(null);
  }, refused);
  const sent = () => [items('transaction').length, items('replay_recording').length];
  const before = sent();
  await page.locator('a[href="/contact"]').first().click();
  await untilAddress(page, '/contact');
  // Another visitor's page, opened later, is timed meanwhile.
  const other = await open(agreed);
  await other.page.goto('/contact');
  const isOthers = ({ payload: { contexts } }: ReturnType<typeof items>[number]) =>
    (contexts as { trace: { op: string } }).trace.op === 'pageload';
  await until(
    'the timing of the other arrives',
    () => items('transaction').slice(before[0]).some(isOthers),
    20_000,
  );
  await fail(page, 'after the withdrawal');
  await until('the error arrives', () => everything().includes('after the withdrawal'));
  expect(sent()).toEqual([(before[0] ?? 0) + 1, before[1]]);
  await other.context.close();
  await context.close();
});

test('times a page once: an address that an experiment completes later is not another page', {
  skip: !isAudit,
}, async () => {
  const { page, context } = await open(agreed);
  const timed = () =>
    items('transaction').map(({ payload: { contexts, transaction } }) => {
      const { trace } = contexts as { trace: { op: string } };
      return `${trace.op} ${transaction}`;
    });
  await page.goto('/contact');
  await until('the first page’s timing arrives', () => timed().length > 0, 20_000);
  await page.keyboard.press('Shift');
  await page.waitForURL(/sidebarAB=/);
  await page.locator('a[href="/api"]').first().click();
  await untilAddress(page, '/api');
  await until('the next page’s timing arrives', () => timed().some((one) => one.endsWith('/api')), 20_000);
  expect(timed()).toEqual(['pageload /contact', 'navigation /api']);
  await context.close();
});

test('no visitor loads any of it when it is not configured', async () => {
  const { product: plain } = await sharedJourney();
  const { page, context, problems } = await openPage(browser, plain.origin);
  await page.goto('/');
  await untilScriptsRun(page);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 3000 })));
  await fail(page, 'for nobody');
  const names = await fetched(page);
  expect(names.filter((path) => /(?<!entry\.)client-|recording|monitoring/.test(path))).toEqual([]);
  expect(problems).toEqual([expect.stringContaining('for nobody')]);
  await context.close();
});
