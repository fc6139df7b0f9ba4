import { expect, test } from 'vitest';
import { untilAddress, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { startProduct } from '../support/product.ts';
import { siteFile } from '../support/site-file.ts';

const moved = {
  '/contact': '/kontakt',
  '/posts': '/beitraege',
  '/privacy-policy': '/datenschutz',
  '/author': '/autoren',
};

const visits = visitInBrowser(() =>
  startProduct({ env: { SITE_CONFIG: siteFile({ abnormal_pages: { de: moved } }) } }),
);

test('a static page at its own address works with scripts, opened directly and through a link', async () => {
  const { page, problems } = await visits.open();
  const works = () => page.locator('form.message-form[novalidate]').waitFor();
  await page.goto('/de/kontakt');
  await works();
  await page.locator('.header .logo').click();
  await untilAddress(page, '/de');
  await page.evaluate('void (globalThis.sameDocument = true)');
  await page.locator('.footer a[href="/de/kontakt"]').click();
  await untilAddress(page, '/de/kontakt');
  await works();
  expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
  expect(problems).toEqual([]);
});

test('every kind of static page is found at its address, and opens without a document load', async () => {
  const { page, problems } = await visits.open();
  await page.goto('/de/datenschutz');
  await untilScriptsRun(page);
  await page.evaluate('void (globalThis.sameDocument = true)');
  for (const address of ['/de/beitraege', '/de/kontakt', '/de/datenschutz']) {
    const before = await page.textContent('h1');
    await page.evaluate(
      (href) => document.querySelector<HTMLElement>(`footer a[href="${href}"]`)?.click(),
      address,
    );
    await page.waitForFunction((text) => document.querySelector('h1')?.textContent !== text, before);
    await untilAddress(page, address);
  }
  expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
  await page.goto('/de/autoren');
  await untilScriptsRun(page);
  expect(problems).toEqual([]);
});
