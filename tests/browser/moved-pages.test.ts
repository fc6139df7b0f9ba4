import { expect, test } from 'vitest';
import { untilAddress } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { startProduct } from '../support/product.ts';
import { siteFile } from '../support/site-file.ts';

const visits = visitInBrowser(() =>
  startProduct({ env: { SITE_CONFIG: siteFile({ abnormal_pages: { de: { '/contact': '/kontakt' } } }) } }),
);

test('a static page at an address of its own works with scripts, opened there and come to by a link', async () => {
  const { page, problems } = await visits.open();
  const works = () => page.locator('form.message-form[novalidate]').waitFor();
  await page.goto('/de/kontakt');
  await works();
  await page.locator('.header .logo').click();
  await untilAddress(page, '/de');
  const documents = await page.evaluate(() => performance.getEntriesByType('navigation').length);
  await page.locator('.footer a[href="/de/kontakt"]').click();
  await untilAddress(page, '/de/kontakt');
  await works();
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(documents);
  expect(problems).toEqual([]);
});
