import { expect, test } from 'vitest';
import { violations } from '../support/audit/axe.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { inMotion, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { bar, look, recordVisitor, tagHost } from '../support/recorded-visit.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';

/** Both categories are configured, so that there is a choice. */
const site = siteFile({ ...twoExperiments, tag_ids: { en: 'T-1' }, tag_host: tagHost });
let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startJourney({ env: { SITE_CONFIG: site } });
  return journey.product;
});

const windows = [
  [360, 640],
  [1440, 900],
] as const;

test.each(sample(windows, ([width]) => width === 360))(
  'at %d by %d pixels the question stands in the page, early in the tab order, and covers and moves nothing',
  async (width, height) => {
    const { page } = await recordVisitor(visits, { ...inMotion, viewport: { width, height } });
    const shifts = await watchShifts(page);
    await look(page, '/');
    const box = await bar(page).boundingBox();
    const title = await page.locator('h1').boundingBox();
    expect(box?.height).toBeLessThan(height / 4);
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(title?.y ?? 0);
    const tabsBefore = await page.evaluate(() => {
      const stops = [...document.querySelectorAll('a, button, summary')].filter((one) =>
        one.checkVisibility(),
      );
      return stops.findIndex((one) => one.closest('.consent') !== null);
    });
    expect(tabsBefore).toBeLessThan(15);
    const sizes = await bar(page)
      .locator('.consent-answers button')
      .evaluateAll((buttons) =>
        buttons.map((one) => `${one.clientWidth} ${getComputedStyle(one).backgroundColor}`),
      );
    expect(new Set(sizes).size).toBe(1);
    await bar(page).locator('summary').press('Enter');
    await bar(page).locator('input[name=statistics]').check();
    await bar(page).locator('[value=chosen]').press('Enter');
    expect(await bar(page).isVisible()).toBe(false);
    expect(await page.evaluate(() => document.cookie)).toContain('consent=1.10');
    expect(await page.locator('#consent-kept').textContent()).toBe('Your choice is saved.');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    expect(await shifts.sum()).toBe(0);
  },
);

test('while the page works on a link the question waits, whole, below the file; from the footer it opens in place', async () => {
  const { page } = await recordVisitor(visits, { viewport: { width: 320, height: 568 } });
  await page.goto('/');
  await untilScriptsRun(page);
  await page.locator('#link').fill(journey.platform.link('ordinary'));
  await page.locator('#link').press('Enter');
  await page.locator('.option-link').first().waitFor();
  const after = page.locator('.consent-after');
  const question = after.locator('p.consent-question');
  expect(await page.locator('#consent').isVisible()).toBe(false);
  expect(
    await question.evaluate((one) => [
      one.scrollWidth - one.clientWidth,
      (one.textContent?.length ?? 0) > 20,
    ]),
  ).toEqual([0, true]);
  const [file, asked] = [await page.locator('.result').boundingBox(), await after.boundingBox()];
  expect(asked?.y).toBeGreaterThanOrEqual((file?.y ?? 0) + (file?.height ?? 0));
  const entries = await page.evaluate(() => history.length);
  await after.locator('[value=none]').first().click();
  await after.waitFor({ state: 'hidden' });
  const link = page.locator('footer a[href="#consent"]');
  await link.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  await link.click();
  await page.waitForFunction(() => document.activeElement?.closest('#consent') != null);
  expect(await page.evaluate(() => [scrollY, history.length])).toEqual([top, entries]);
  await page.keyboard.press('Escape');
  await page.locator('#consent').waitFor({ state: 'hidden' });
});

test.runIf(isAudit).each(['ja', 'tl', 'de', 'ar'])(
  'letters of twice the size stay inside a narrow screen (%s)',
  async (locale) => {
    const { page } = await recordVisitor(visits, { viewport: { width: 360, height: 640 } });
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = '200%';
      });
    });
    await page.goto(`/${locale}`);
    const edges = await bar(page)
      .locator('.consent-answers button')
      .evaluateAll((buttons) =>
        buttons.flatMap((one) => {
          const { left, right } = one.getBoundingClientRect();
          return [left, right, one.scrollWidth - one.clientWidth];
        }),
      );
    expect(edges).toHaveLength(6);
    expect(Math.min(...edges)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...edges)).toBeLessThanOrEqual(360);
  },
);

test.runIf(isAudit).each(['/', '/ar/contact'])(
  'axe finds nothing in the bar at %s, open or not',
  async (path) => {
    const { page } = await recordVisitor(visits, { bypassCSP: true, viewport: { width: 360, height: 740 } });
    await page.goto(path);
    expect(await bar(page).isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await bar(page).locator('summary').click();
    await bar(page).locator('input[name=statistics]').waitFor();
    expect(await violations(page)).toEqual([]);
  },
);

test('the address names a variant, but does not move anybody to another', { skip: !isAudit }, async () => {
  const { context, page } = await recordVisitor(visits);
  await look(page, '/contact?sidebarAB=c&x=1#content');
  const cookies = await context.cookies();
  const own = cookies.find(({ name }) => name === 'sidebarAB')?.value ?? '';
  expect(own).toMatch(/^[ab]$/);
  await expect.poll(() => new URL(page.url()).searchParams.get('sidebarAB')).toBe(own);
  expect(new URL(page.url()).hash).toBe('#content');
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).not.toContain('sidebarAB');
  await page.locator('header a').first().click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  await expect.poll(() => new URL(page.url()).searchParams.get('sidebarAB')).toBe(own);
});

test('an answer before any script has loaded keeps the page where it is', async () => {
  const { page } = await recordVisitor(visits, { viewport: { width: 1280, height: 600 } });
  let release = () => {};
  const pressed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/*.js', async (route) => {
    await pressed;
    await route.continue();
  });
  await page.goto('/tiktok-hd-quality-explained', { waitUntil: 'commit' });
  await bar(page).waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
  await bar(page).locator('[value=none]').first().click();
  release();
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain('consent=1.00');
  expect(await bar(page).isVisible()).toBe(false);
  expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true);
});

test('a tag runs in the visit in which it was agreed to: the next link loads a document, once', async () => {
  const { page } = await recordVisitor(visits);
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.goto('/', { referer: 'https://search.example/found' });
  await untilScriptsRun(page);
  await bar(page).locator('[value=all]').first().click();
  await page.locator('#consent-kept', { hasText: 'Your choice is saved.' }).waitFor({ state: 'attached' });
  const guides = page.locator('.header-posts a');
  // The part that asks for a document comes once the browser is idle.
  await page.waitForFunction(() => sessionStorage.getItem('first-referrer') !== null);
  const [tag] = await Promise.all([
    page.waitForRequest((request) => request.url().startsWith(tagHost)),
    guides.click(),
  ]);
  expect(new URL(tag.url()).searchParams.get('id')).toBe('T-1');
  expect(new URL(page.url()).pathname).toBe('/posts');
  expect(documents).toBe(2);
  const calls = await page.evaluate(() =>
    (globalThis as unknown as { dataLayer: ArrayLike<unknown>[] }).dataLayer.map((call) => Array.from(call)),
  );
  expect(calls[1]).toEqual(['config', 'T-1', { page_referrer: 'https://search.example/found' }]);
  expect(await page.evaluate(() => sessionStorage.getItem('first-referrer'))).toBeNull();
  await page.locator('.header .logo').click();
  await page.waitForURL('/');
  expect(documents).toBe(2);
});
