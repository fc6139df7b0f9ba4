import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { auditPromotedPage, openPromoted } from '../support/audit/promoted-page.ts';
import { untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { eventually } from '../support/eventually.ts';
import type { Journey } from '../support/journey.ts';
import { startDemo } from '../support/promotion.ts';

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startDemo();
  return journey.product;
});
beforeEach(() => journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } }));
afterAll(() => journey.platform.stop());

describe.each(['', 'ar', 'de', 'ja'])('in /%s', (locale) => {
  test.each([
    [360, 740],
    [768, 1024],
    [1024, 800],
    [1025, 800],
    [1440, 900],
  ])('everything at once moves, breaks and covers nothing at %i by %i', async (width, height) => {
    const view = { width, height, locale };
    await auditPromotedPage(await openPromoted(visits, view), view, journey);
  });
});

/** Links and fields of the page that are in the window, but that a press would miss: something is on top of them. */
const coveredInSight = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('#site-footer :is(a, button), main form :is(input, textarea, button)')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .flatMap((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        if (right - left < 2 || bottom - top < 2 || y < 0 || y > innerHeight || x < 0 || x > innerWidth)
          return [];
        const there = document.elementFromPoint(x, y);
        const isAbove = there?.closest('.promotion') != null && !element.contains(there);
        return isAbove ? [`${element.textContent?.trim() || element.id} below ${there?.className}`] : [];
      }),
  );

const footers = [
  // On a lower one the first screen has no room for an ad.
  { width: 320, height: 800, path: '/' },
  { width: 360, height: 740, path: '/ar' },
  { width: 768, height: 1024, path: '/contact' },
  { width: 1025, height: 800, path: '/de/dmca' },
  { width: 1440, height: 900, path: '/' },
  { width: 1440, height: 900, path: '/contact' },
];

test.each(footers)(
  'nothing promoted covers the footer or a form at $width by $height on $path, for pointers and for keys',
  { timeout: 90_000 },
  async ({ width, height, path }) => {
    const { page, problems } = await openPromoted(visits, { width, height });
    await page.goto(path);
    await untilScriptsRun(page);
    await page.locator('.promotion .ad:not([inert])').first().waitFor();
    // Cards appear where there is room: at the end of the page at the latest.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.locator('.side-card:not([inert])').first().waitFor();
    const tops = await page.evaluate(() => {
      const { scrollHeight } = document.documentElement;
      const first = scrollHeight - (document.getElementById('site-footer')?.offsetHeight ?? 0) - innerHeight;
      const step = innerHeight / 4;
      return [
        0,
        ...Array.from({ length: Math.ceil((scrollHeight - first) / step) }, (_, n) => first + n * step),
      ];
    });
    for (const top of tops) {
      await page.evaluate((y) => scrollTo(0, y), top);
      await eventually(() => coveredInSight(page)).toEqual([]);
    }
    // A visitor who moves from link to link sees each of them.
    const last = page.locator('#site-footer a:visible');
    for (const link of [last.first(), last.nth(Math.floor((await last.count()) / 2)), last.last()]) {
      await link.focus();
      await eventually(() =>
        link.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
        }),
      ).toBe(true);
    }
    // The keyboard also still reaches every promotion that has room.
    await page.evaluate(() => scrollTo(0, 0));
    const closing = page.locator('.promotion :is(.ad, .side-card):not([inert]) button').first();
    await closing.waitFor();
    await closing.focus();
    expect(await closing.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(problems).toEqual([]);
  },
);

test('Escape closes one thing after another, the dialog first', async () => {
  const { page, problems } = await openPromoted(visits, { width: 1440, height: 900 });
  await page.goto('/');
  await untilScriptsRun(page);
  const shown = page.locator('.promotion :is(.ad, .side-card):not([inert])');
  await eventually(() => shown.count()).toBe(5);
  await page.locator('[commandfor="desktop-app"]').click();
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  const before = await shown.count();
  await page.keyboard.press('Escape');
  await eventually(() => shown.count()).toBe(before - 1);
  expect(problems).toEqual([]);
});

test('counts for visitors who agreed what popped up, which card was followed or closed, and which program was downloaded', async () => {
  const { page, context } = await openPromoted(visits, { width: 1440, height: 900 }, { statistics: true });
  const reported: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/web/report')) return;
    const reports = [JSON.parse(request.postData() ?? '[]')].flat() as { data: Record<string, unknown> }[];
    reported.push(...reports.map(({ data }) => data));
  });
  const has = (fields: Record<string, unknown>) =>
    reported.some((data) => Object.entries(fields).every(([key, value]) => data[key] === value));
  await context.route(/^https:/, (route) => route.fulfill({ contentType: 'text/html', body: 'elsewhere' }));
  await page.goto('/');
  await untilScriptsRun(page);
  await page.locator('.side-card:not([inert])').first().waitFor();
  await eventually(() => has({ event: 'exposure', event_category: 'b_banner' })).toBe(true);
  const guest = async () => {
    const record = (await context.cookies()).find(({ name }) => name === 'guest_record')?.value ?? '%7B%7D';
    return (JSON.parse(decodeURIComponent(record)) as { popup_count?: number }).popup_count ?? 0;
  };
  await eventually(guest).toBeGreaterThan(1);
  await page.locator('.side-card:not([inert]) .side-card-close').first().click();
  await eventually(() => has({ event: 'close_b_banner', event_label: 'ks' })).toBe(true);
  await page.locator('[commandfor="desktop-app"]').click();
  const opens = context.waitForEvent('page');
  await page.locator('dialog[open] .app-cell a').first().click();
  await opens;
  await eventually(() => has({ event: 'download', event_label: 'p' })).toBe(true);
});
