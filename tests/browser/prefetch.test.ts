import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';

let product: RunningProduct;
let browser: Browser;
let context: BrowserContext | undefined;
beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
});
afterEach(async () => {
  await context?.close();
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

/** Opens a page with a connection of a kind, and waits until links would have been fetched. */
async function prefetched(connection: object, online = true): Promise<string[]> {
  const opened = await openPage(browser, product.origin);
  context = opened.context;
  const { page } = opened;
  await page.addInitScript(
    ([value, onLine]) => {
      Object.defineProperty(navigator, 'connection', { value });
      Object.defineProperty(navigator, 'onLine', { value: onLine });
      // The browser is idle at once; what comes of it follows in the same turn or never.
      globalThis.requestIdleCallback = (callback) => setTimeout(callback, 0) as unknown as number;
    },
    [connection, online] as const,
  );
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('.data')) asked.push(new URL(request.url()).pathname);
  });
  await page.goto('/api', { waitUntil: 'networkidle' });
  return asked;
}

test('links in view are fetched when the browser is idle', async () => {
  expect(await prefetched({ saveData: false, effectiveType: '4g' })).toEqual(
    expect.arrayContaining(['/tiktok-downloader.data', '/posts.data']),
  );
});

test.each([
  ['saves data', { saveData: true, effectiveType: '4g' }, true],
  ['is very slow', { saveData: false, effectiveType: 'slow-2g' }, true],
  ['is offline', { saveData: false, effectiveType: '4g' }, false],
])('nothing is fetched beforehand for a visitor who %s', async (_, connection, online) => {
  expect(await prefetched(connection, online)).toEqual([]);
});
