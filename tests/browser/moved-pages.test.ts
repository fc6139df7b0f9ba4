import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { siteFile } from '../support/site-file.ts';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  const SITE_CONFIG = siteFile({ abnormal_pages: { de: { '/contact': '/kontakt' } } });
  [product, browser] = await Promise.all([startProduct({ env: { SITE_CONFIG } }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

test('a static page at an address of its own works with scripts, opened there and come to by a link', async () => {
  const { page, context, troubles } = await openPage(browser, product.origin);
  const works = () => page.locator('form.message-form[novalidate]').waitFor();
  await page.goto('/de/kontakt');
  await works();
  await page.locator('.header .logo').click();
  await page.waitForURL('**/de');
  const documents = await page.evaluate(() => performance.getEntriesByType('navigation').length);
  await page.locator('.footer a[href="/de/kontakt"]').click();
  await page.waitForURL('**/de/kontakt');
  await works();
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(documents);
  expect(troubles).toEqual([]);
  await context.close();
});
