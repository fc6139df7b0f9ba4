import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkAlternates } from '../support/audit/alternates.ts';
import { violations } from '../support/audit/axe.ts';
import { type Crawl, crawl } from '../support/audit/crawl.ts';
import { checkHtml } from '../support/audit/html.ts';
import { onePageOfEachType } from '../support/audit/page-types.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { auditStarts, isAudited } from '../support/audit/starts.ts';
import { openPage } from '../support/browser.ts';
import { downloaderPages } from '../support/downloader-pages.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { siteFile } from '../support/site-file.ts';

// `npm run audit:site` does the same with all languages; these two differ most.
const locales = sample(['en', 'ar'], (locale) => locale === 'en');

let product: RunningProduct;
let found: Crawl;
beforeAll(async () => {
  product = await startProduct({ env: { SITE_CONFIG: siteFile({ locales }) } });
  const starts = auditStarts(locales, downloaderPages);
  found = await crawl(product.origin, 'https://clipferry.example', starts, isAudited);
});
afterAll(async () => {
  await product.stop();
});

test('every link of every page leads to an existing page', () => {
  expect(found.pages.size).toBeGreaterThan(40);
  expect(found.problems).toEqual([]);
});

test('the languages of every page link to each other', { skip: !isAudit }, () => {
  expect(checkAlternates(found.pages.values())).toEqual([]);
});

test('a validator finds nothing in any page', async () => {
  const pages = sample([...found.pages.entries()], ([path]) => !/^\/ar\//.test(path));
  for (const [, page] of pages) expect(await checkHtml(page)).toEqual([]);
});

test('axe finds nothing in an Arabic page of each type, with the consent bar', {
  skip: !isAudit,
  timeout: 120_000,
}, async () => {
  const browser = await sharedBrowser();
  const { page, context } = await openPage(browser, product.origin, { bypassCSP: true });
  const arabic = [...found.pages.keys()].filter((path) => path.startsWith('/ar'));
  for (const path of onePageOfEachType(arabic, locales, downloaderPages)) {
    await page.goto(path);
    expect(await page.locator('.consent').isVisible(), path).toBe(true);
    expect([path, await violations(page)]).toEqual([path, []]);
  }
  await context.close();
});
