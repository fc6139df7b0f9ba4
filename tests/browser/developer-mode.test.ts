import { expect, test } from 'vitest';
import { untilAddress, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { startProduct } from '../support/product.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';
import { until } from '../support/until.ts';

const visits = visitInBrowser(() => startProduct({ env: { SITE_CONFIG: siteFile(twoExperiments) } }));
/** Keeps pages by what a request accepts: a browser asks for documents otherwise than scripts do. */
const byFormat = visitInBrowser(() =>
  startProduct({ env: { SITE_CONFIG: siteFile({ page_cache: { key_format: 'locale.webp' } }) } }),
);

test('developer mode shows what the site knows of a page, on this device until it is ended', async () => {
  const { page, context, problems } = await visits.open();
  await context.addCookies([{ name: 'sidebarAB', value: 'b', url: visits.product.origin }]);
  await page.goto('/de/contact#dev=1');
  const panel = page.locator('aside.developer-panel');
  await panel.waitFor({ state: 'attached' });
  expect(await panel.getAttribute('aria-label')).toBe('Entwicklermodus');
  const text = () => panel.evaluate((host) => host.shadowRoot?.textContent ?? '');
  for (const shown of ['de (de, ltr)', 'de.desktop/de/contact', 'sidebarAB=b', 'statistics ✗, marketing ✗'])
    expect(await text()).toContain(shown);
  const state = JSON.parse((await panel.locator('pre').first().textContent()) ?? '{}') as object;
  expect(state).toMatchObject({
    ...{ locale: 'de', path: '/de/contact', status: 200, token: '', refererUrl: '' },
    meta: { title: await page.title() },
  });

  // A page of the same document, and then a new one without the hash.
  await page
    .locator('header a[href="/de/posts"]')
    .first()
    .evaluate((link: HTMLElement) => link.click());
  await untilAddress(page, '/de/posts');
  await page.waitForFunction(() =>
    document.querySelector('aside.developer-panel')?.shadowRoot?.textContent?.includes('desktop/de/posts'),
  );
  await page.goto('/ar');
  await panel.waitFor({ state: 'attached' });
  expect(await text()).toContain('ar (ar, rtl)');

  await panel.locator('.panel > summary').focus();
  await panel.locator('button').click();
  await panel.waitFor({ state: 'detached' });
  await page.goto('/ar');
  await untilScriptsRun(page);
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('developer-mode');
  expect(await panel.count()).toBe(0);
  expect(problems).toEqual([]);
});

test('the key is the one under which the page was asked for', async () => {
  const { page } = await byFormat.open();
  await page.goto('/de/contact#dev=1');
  const panel = page.locator('aside.developer-panel');
  await panel.waitFor({ state: 'attached' });
  const text = () => panel.evaluate((host) => host.shadowRoot?.textContent ?? '');
  await until('it has asked', async () => (await text()).includes('/de/contact'));
  expect(await text()).toContain('de.webp/de/contact ✓');
});

test('a page that is open already becomes one by its address', async () => {
  const { page } = await visits.open({ viewport: { width: 360, height: 740 } });
  await page.goto('/');
  await untilScriptsRun(page);
  const files = () =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  expect((await files()).join()).not.toContain('/api/state');
  await page.evaluate(() => {
    location.hash = 'dev=1';
  });
  const panel = page.locator('aside.developer-panel');
  await panel.waitFor();
  // On a phone it is closed at first, and covers little.
  const box = await panel.boundingBox();
  expect(box?.height).toBeLessThan(60);
});

test('each event is shown as it is sent', async () => {
  const { page, context } = await visits.open();
  await context.addCookies([{ name: 'consent', value: '1.10', url: visits.product.origin }]);
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/web/report')) sent.push(JSON.parse(request.postData() ?? 'null'));
  });
  await page.goto('/contact#dev=1');
  const events = page.locator('aside.developer-panel details details').filter({ hasText: /^page_view/ });
  await events.first().waitFor({ state: 'attached' });
  const shown = JSON.parse((await events.first().locator('pre').textContent()) ?? 'null') as {
    upload_id: string;
  };
  expect(shown).toMatchObject({
    mode: 'page_view',
    data: { url: expect.stringContaining('/contact') as string },
  });
  await until('it is sent', () => sent.flat().length > 0);
  expect(sent.flat()).toContainEqual(shown);
});
