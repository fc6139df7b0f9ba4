import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { untilAddress, untilIdle, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { ask, hasResult, visitTool } from '../support/tool-visits.ts';

const visits = visitInBrowser();

/** A page whose document is ready to be left; nothing is fetched beforehand. */
async function open(): Promise<WatchedPage> {
  const watched = await visits.open();
  const { page } = watched;
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await page.goto('/', { waitUntil: 'networkidle' });
  await untilScriptsRun(page);
  await page.evaluate('void (globalThis.sameDocument = true)');
  return watched;
}

/** The file with the API page's code, as the build's manifest names it. */
const codeOf = (page: Page, route: string) =>
  page.evaluate(
    (id) =>
      (globalThis as unknown as { __reactRouterManifest: { routes: Record<string, { module: string }> } })
        .__reactRouterManifest.routes[id]?.module ?? '',
    route,
  );
const follow = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLElement>('a[href="/contact"]')?.click());
const isSameDocument = (page: Page) => page.evaluate('globalThis.sameDocument === true');

test('missing code loads the page that the visitor wants as a whole, once', async () => {
  const { page, problems } = await open();
  const file = await codeOf(page, '/contact');
  let asked = 0;
  await page.route(`**${file}`, async (route) => {
    asked++;
    if (asked === 1) await route.fulfill({ status: 404, body: '' });
    else await route.continue();
  });
  await follow(page);
  await untilAddress(page, '/contact');
  await page.locator('h1').waitFor();
  expect(await isSameDocument(page)).toBe(false);
  expect(problems.join()).toContain(`Loading chunk ${file.replace(/^.*\//, '').replace('.js', '')} failed`);
});

test('code that stays missing ends in a page that works without it, not in a loop', async () => {
  const { page } = await open();
  const file = await codeOf(page, '/contact');
  await page.route(`**${file}`, (route) => route.fulfill({ status: 404, body: '' }));
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents++;
  });
  await follow(page);
  await untilAddress(page, '/contact');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('h1').textContent()).toBe('Contact us');
  expect(documents).toBe(1);
});

test('where the whole page has been tried, the error says what failed', async () => {
  const { page } = await open();
  const file = await codeOf(page, '/contact');
  await page.route(`**${file}`, (route) => route.fulfill({ status: 404, body: '' }));
  await page.evaluate(() => sessionStorage.setItem('loaded-whole', '/contact'));
  await follow(page);
  await page.locator('[data-error-type="missing"]').waitFor();
  expect(await page.locator('h1').textContent()).toBe('Part of this page didn’t load');
  expect(await isSameDocument(page)).toBe(true);
});

test('code that does not come within 120 s is given up', async () => {
  const { page } = await open();
  const file = await codeOf(page, '/contact');
  await page.clock.install();
  await page.evaluate(() => sessionStorage.setItem('loaded-whole', '/contact'));
  const asked = page.waitForRequest(`**${file}`);
  await page.route(`**${file}`, () => {});
  await follow(page);
  await asked;
  await page.clock.runFor(119_000);
  expect(await page.locator('[data-error-type]').count()).toBe(0);
  await page.clock.runFor(2_000);
  await page.locator('[data-error-type="timeout"]').waitFor();
  expect(await page.getByText(/^Loading chunk .* failed$/).count()).toBe(1);
});

describe('the code of results', () => {
  const toolVisits = visitTool();
  const link = 'https://www.tiktok.com/@ferry.captain/video/7615133378163811813';
  const files = '**/_app/outcome-*.js';

  test('is not fetched before somebody turns to the link box', async () => {
    const page = await toolVisits.open('/');
    await page.locator('.link-paste').waitFor();
    await untilIdle(page);
    const fetchedBefore = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(fetchedBefore.filter((name) => /\/outcome-[^/]*\.js/.test(name))).toEqual([]);
    const fetched = page.waitForRequest(files);
    await page.locator('#link').focus();
    await fetched;
  });

  test('where it cannot be had, the server shows the result, which works without it', async () => {
    const { page, context } = await visits.open();
    await page.goto(toolVisits.journey.product.origin);
    await untilScriptsRun(page);
    await page.route(files, (route) => route.fulfill({ status: 404, body: '' }));
    await ask(page, toolVisits.journey.platform.link('ordinary'));
    await untilAddress(page, '/', link);
    await hasResult(page);
    const download = page.waitForEvent('download');
    await page.locator('.result-options .option-link').first().click();
    expect((await download).suggestedFilename()).toMatch(/\.mp4$/);
    await context.close();
  });

  test('comes for a result to which the history leads', async () => {
    const page = await toolVisits.open('/');
    await ask(page, toolVisits.journey.platform.link('ordinary'));
    await untilAddress(page, '/', link);
    await page.getByRole('link', { name: 'Download another' }).click();
    await page.locator('.hero-below').waitFor();
    await page.reload();
    await untilScriptsRun(page);
    await page.goBack();
    await hasResult(page);
    await page.locator('.option-link').first().click();
    await page.locator('.option').getByText('Download started').waitFor();
  });
});
