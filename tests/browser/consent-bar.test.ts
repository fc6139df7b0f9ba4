import { expect, test } from 'vitest';
import { violations } from '../support/audit/axe.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { inMotion, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { startProduct } from '../support/product.ts';
import { bar, look, recordVisitor, tagHost } from '../support/recorded-visit.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';

/** Both categories are configured, so that there is a choice. */
const site = siteFile({ ...twoExperiments, tag_ids: { en: 'T-1' }, tag_host: tagHost });
const visits = visitInBrowser(() => startProduct({ env: { SITE_CONFIG: site } }));

const windows = [
  [360, 640],
  [1440, 900],
] as const;

test.each(sample(windows, ([width]) => width === 360))(
  'at %d by %d pixels the bar moves nothing, traps no focus and covers no page end',
  async (width, height) => {
    const { page } = await recordVisitor(visits, { ...inMotion, viewport: { width, height } });
    const shifts = await watchShifts(page);
    await look(page, '/');
    const box = await bar(page).boundingBox();
    const linkBox = await page.locator('form').first().boundingBox();
    expect(box?.height).toBeLessThan(height / 4);
    expect((linkBox?.y ?? height) + (linkBox?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
    const sizes = await bar(page)
      .locator('.consent-answers button')
      .evaluateAll((buttons) =>
        buttons.map((one) => `${one.clientWidth} ${getComputedStyle(one).backgroundColor}`),
      );
    expect(new Set(sizes).size).toBe(1);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const end = await page.locator('.footer-copyright').boundingBox();
    const atEnd = await bar(page).boundingBox();
    expect((end?.y ?? height) + (end?.height ?? 0)).toBeLessThanOrEqual((atEnd?.y ?? 0) + 1);
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

const lowWindows = [
  [320, 568, 'tl'],
  [740, 360, 'ja'],
] as const;

test.runIf(isAudit).each(lowWindows)(
  'a low window of %d by %d pixels shows the bar together with the main content',
  async (width, height, locale) => {
    const { page } = await recordVisitor(visits, { viewport: { width, height } });
    await page.goto(`/${locale}`);
    const box = await bar(page).boundingBox();
    const submit = await page.locator('.link-submit').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(height);
    expect((submit?.y ?? height) + (submit?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  },
);

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
    expect((await bar(page).boundingBox())?.height).toBeLessThanOrEqual(640 * 0.6);
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
  await page.evaluate(() => {
    scrollTo(0, 700);
    Object.assign(globalThis, { isSameDocument: true });
  });
  await bar(page).locator('[value=none]').first().click();
  release();
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain('consent=1.00');
  expect(await bar(page).isVisible()).toBe(false);
  // It does not return to its top; content loaded above it may still move it.
  expect(await page.evaluate(() => [scrollY >= 700, 'isSameDocument' in globalThis])).toEqual([true, true]);
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
