import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { changeTo, untilAddress, untilIdle, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import type { Journey } from '../support/journey.ts';
import { pageFile } from '../support/page-code.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { hasResult, submitLink, visitTool } from '../support/tool-visits.ts';

const visits = visitInBrowser();

/** Opens a page without prefetching. */
async function openSaving(): Promise<WatchedPage> {
  const watched = await visits.open();
  await watched.page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  return watched;
}

const contactFile = () => pageFile(visits.product.origin, '/contact');

/** A page that is ready to be left, and the request for the contact page's code. */
async function open(): Promise<WatchedPage & { readonly file: string }> {
  const watched = await openSaving();
  const { page } = watched;
  await page.goto('/', { waitUntil: 'networkidle' });
  await untilScriptsRun(page);
  await page.evaluate('void (globalThis.sameDocument = true)');
  return { ...watched, file: await contactFile() };
}

const follow = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLElement>('a[href="/contact"]')?.click());
const isSameDocument = (page: Page) => page.evaluate('globalThis.sameDocument === true');

/** Counts the documents that a page loads from now on. */
function countDocuments(page: Page) {
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

test('missing code loads the whole page that the visitor wants, once', async () => {
  const { page, problems, file } = await open();
  let requested = 0;
  await page.route(`**${file}`, async (route) => {
    requested++;
    if (requested === 1) await route.fulfill({ status: 404, body: '' });
    else await route.continue();
  });
  await follow(page);
  await untilAddress(page, '/contact');
  await page.locator('h1', { hasText: 'Contact us' }).waitFor();
  await untilScriptsRun(page);
  expect(await isSameDocument(page)).toBe(false);
  expect(problems.join()).toContain('Loading chunk /contact failed');
});

test('code that stays missing ends in a page that works without it, not in a loop', {
  skip: !isAudit,
}, async () => {
  const { page, file } = await open();
  await page.route(`**${file}`, (route) => route.fulfill({ status: 404, body: '' }));
  const documents = countDocuments(page);
  await follow(page);
  await untilAddress(page, '/contact');
  await page.waitForLoadState('networkidle');
  expect(await page.locator('h1').textContent()).toBe('Contact us');
  // The router itself reloads the page that was about to be left.
  expect(documents).toEqual(['/', '/contact']);
});

test('prefetched code that stays missing reloads the page once, not in a loop', {
  skip: !isAudit,
}, async () => {
  const { page } = await visits.open();
  const file = await contactFile();
  await page.route(`**${file}`, (route) => route.fulfill({ status: 404, body: '' }));
  const documents = countDocuments(page);
  const requested = page.waitForRequest(`**${file}`);
  await page.goto('/');
  await page.locator('a[href="/contact"]').first().scrollIntoViewIfNeeded();
  await requested;
  await page.waitForFunction(
    () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).type === 'reload',
  );
  await untilScriptsRun(page);
  await page.locator('a[href="/contact"]').first().scrollIntoViewIfNeeded();
  await untilIdle(page);
  await page.waitForLoadState('networkidle');
  expect(documents).toEqual(['/', '/']);
});

test('the error says what failed after the whole page was tried', { skip: !isAudit }, async () => {
  const { page, file } = await open();
  await page.route(`**${file}`, (route) => route.fulfill({ status: 404, body: '' }));
  await page.evaluate(() => sessionStorage.setItem('loaded-whole', '/contact'));
  await follow(page);
  await page.locator('[data-error-type="missing"]').waitFor();
  expect(await page.locator('h1').textContent()).toBe('Part of this page didn’t load');
  // The previous page can be loaded again.
  await page.locator('.error-screen button').click();
  await page.locator('#link').waitFor();
});

test('gives up on code that does not arrive within 120 s, and shows it when it arrives after all', {
  skip: !isAudit,
}, async () => {
  const { page, file } = await open();
  await page.clock.install();
  await page.evaluate(() => sessionStorage.setItem('loaded-whole', '/contact'));
  const requested = page.waitForRequest(`**${file}`);
  const { promise: late, resolve: come } = Promise.withResolvers<void>();
  await page.route(`**${file}`, async (route) => {
    await late;
    await route.continue();
  });
  await follow(page);
  await requested;
  await page.clock.runFor(110_000);
  expect(await page.locator('[data-error-type]').count()).toBe(0);
  await page.clock.runFor(11_000);
  await page.locator('[data-error-type="timeout"]').waitFor();
  expect(await page.getByText(/^Loading chunk .* failed$/).count()).toBe(1);
  expect(await isSameDocument(page)).toBe(true);
  come();
  await page.locator('h1', { hasText: 'Contact us' }).waitFor();
});

test('a visitor who reloads in the middle of a page change gets the page they were going to', {
  skip: !isAudit,
}, async () => {
  const { page, file } = await open();
  const requested = page.waitForRequest(`**${file}`);
  await page.route(`**${file}`, () => {}, { times: 1 });
  await follow(page);
  await requested;
  await page.reload({ waitUntil: 'commit' });
  await untilAddress(page, '/contact');
  await untilScriptsRun(page);
  // No trace of it is left for the next reload.
  await page.reload();
  await untilScriptsRun(page);
  expect(new URL(page.url()).pathname).toBe('/contact');
});

describe('the code of pages to read', () => {
  const files = '**/_app/views-*.js';
  const withForm = 'form.message-form[novalidate]';

  test('comes when one is opened, inside the document', async () => {
    const { page, problems } = await openSaving();
    const asked: string[] = [];
    await page.route(files, async (route) => {
      asked.push(new URL(page.url()).pathname);
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    await untilScriptsRun(page);
    await page.evaluate('void (globalThis.sameDocument = true)');
    expect(asked).toEqual([]);
    await follow(page);
    await page.locator(withForm).waitFor();
    expect(asked).toHaveLength(1);
    expect(await isSameDocument(page)).toBe(true);
    expect(problems).toEqual([]);
  });

  test('shows each of them, opened at its address and come to by a change', { skip: !isAudit }, async () => {
    const paths = [
      '/posts',
      '/view-articles',
      '/author',
      '/about',
      '/api',
      '/posts-new1',
      '/dmca',
      '/status',
      '/pagelink',
    ];
    const { page, problems } = await openSaving();
    const titles = new Map<string, string | null>();
    for (const path of paths) {
      await page.goto(path);
      await untilScriptsRun(page);
      titles.set(path, await page.textContent('h1'));
    }
    await page.goto('/');
    await untilScriptsRun(page);
    await page.evaluate('void (globalThis.sameDocument = true)');
    for (const [path, title] of titles) {
      await changeTo(page, path);
      await page.waitForFunction((text) => document.querySelector('h1')?.textContent === text, title);
    }
    expect(await isSameDocument(page)).toBe(true);
    expect(problems).toEqual([]);
  });

  test('is fetched beforehand where links are', async () => {
    const { page } = await visits.open();
    const fetched = page.waitForRequest(files);
    await page.goto('/');
    await fetched;
  });

  test('where it cannot be had, the server shows the page, which works without it', async () => {
    const { page } = await open();
    await page.route(files, (route) => route.fulfill({ status: 404, body: '' }));
    const documents = countDocuments(page);
    await follow(page);
    await page.locator('h1', { hasText: 'Contact us' }).waitFor();
    expect(await page.locator('form.message-form').getAttribute('method')).toBe('post');
    expect(documents).toEqual(['/contact']);
  });

  test('that could not be had for one page is tried for the next', { skip: !isAudit }, async () => {
    const { page } = await open();
    await page.route(files, (route) => route.fulfill({ status: 404, body: '' }));
    await page.evaluate(() => sessionStorage.setItem('loaded-whole', '/contact'));
    await follow(page);
    await page.locator('[data-error-type="missing"]').waitFor();
    const documents = countDocuments(page);
    await page.locator('footer a[href="/privacy-policy"]').click();
    await page.waitForURL('**/privacy-policy');
    await page.locator('.legal-updated').waitFor();
    expect(documents).toEqual(['/privacy-policy']);
  });
});

const link = 'https://www.tiktok.com/@ferry.captain/video/7615133378163811813';

describe('the code of results', () => {
  const toolVisits = visitTool();
  const files = '**/_app/outcome-*.js';

  test('is not fetched before the visitor uses the link box', { skip: !isAudit }, async () => {
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

  test('when it is missing, the server shows the result, which works without it', {
    skip: !isAudit,
  }, async () => {
    const { page, context } = await visits.open();
    await page.goto(toolVisits.journey.product.origin);
    await untilScriptsRun(page);
    await page.route(files, (route) => route.fulfill({ status: 404, body: '' }));
    await submitLink(page, toolVisits.journey.platform.link('ordinary'));
    await untilAddress(page, '/', link);
    await hasResult(page);
    const download = page.waitForEvent('download');
    await page.locator('.result-options .option-link').first().click();
    expect((await download).suggestedFilename()).toMatch(/\.mp4$/);
    await context.close();
  });

  test('loads for a result in the history', { skip: !isAudit }, async () => {
    const page = await toolVisits.open('/');
    await submitLink(page, toolVisits.journey.platform.link('ordinary'));
    await untilAddress(page, '/', link);
    await page.getByRole('link', { name: 'Paste another link' }).click();
    await page.locator('.hero-below').waitFor();
    await page.reload();
    await untilScriptsRun(page);
    await page.goBack();
    await hasResult(page);
    await page.locator('.option-link').first().click();
    await page.locator('.option').getByText('Download started').waitFor();
  });
});

describe('a part of a result', () => {
  let journey: Journey;
  const toolVisits = visitInBrowser(async () => {
    journey = await sharedJourney();
    return journey.product;
  });
  afterAll(() => journey.platform.stop());

  async function openTool(): Promise<Page> {
    const { page } = await toolVisits.open();
    await page.goto('/');
    await untilScriptsRun(page);
    return page;
  }

  test('comes with the whole document when messages of another language are gone', async () => {
    const page = await openTool();
    await Promise.all([page.waitForResponse('**/messages/en/**'), page.locator('#link').focus()]);
    await page.route('**/messages/de/**', (route) => route.fulfill({ status: 404, body: '' }));
    await page.locator('footer').getByRole('link', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { level: 1, name: /herunterladen/ }).waitFor();
    const documents = countDocuments(page);
    await submitLink(page, journey.platform.link('ordinary'));
    await untilAddress(page, '/de', link);
    await hasResult(page);
    expect(documents).toEqual(['/de']);
  });

  test.each([
    ['.result-code', '**/_app/qr-*.js'],
    ['.cut', '**/_app/scrubber-*.js'],
  ])('%s loads the document for its missing code once, and is left out then', async (fold, missing) => {
    const page = await openTool();
    await page.route(missing, (route) => route.fulfill({ status: 404, body: '' }));
    await submitLink(page, journey.platform.link('ordinary'));
    await untilAddress(page, '/', link);
    const rejected: Error[] = [];
    page.on('pageerror', (error) => rejected.push(error));
    const documents = countDocuments(page);
    await page.locator(fold).click();
    await expect.poll(() => documents).toEqual(['/']);
    await untilScriptsRun(page);
    const failed = page.waitForEvent('console', (message) => message.text().includes('Loading chunk'));
    await page.locator(fold).click();
    await failed;
    await hasResult(page);
    expect(documents).toEqual(['/']);
    expect(rejected).toEqual([]);
  });

  test('does not wait for ever for a style sheet', async () => {
    const page = await openTool();
    await page.clock.install();
    const asked = Promise.withResolvers<void>();
    await page.route(/\/_app\/[^/]*\.css/, () => asked.resolve());
    await submitLink(page, journey.platform.link('ordinary'));
    await asked.promise;
    for (let passed = 0; passed < 5 && !(await page.locator('.option-link').first().isVisible()); passed++)
      await page.clock.runFor(8_000);
    await hasResult(page);
  });
});
