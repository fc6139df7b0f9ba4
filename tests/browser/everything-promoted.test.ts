import { afterAll, beforeEach, expect, test } from 'vitest';
import { openPromoted } from '../support/audit/promoted-page.ts';
import { isAudit } from '../support/audit/scope.ts';
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

test('who agreed is counted: what popped up, which card was followed or closed, which program was fetched', {
  skip: !isAudit,
}, async () => {
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
