import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { consentValue } from '../../src/site/visitors/consent-cookie.ts';
import { auditPromotedPage, optionsOf } from '../support/audit/promoted-page.ts';
import { untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { eventually } from '../support/eventually.ts';
import type { Journey } from '../support/journey.ts';
import { startDemo } from '../support/promotion.ts';

let journey: Journey;
let watched: WatchedPage;
const visits = visitInBrowser(async () => {
  journey = await startDemo();
  return journey.product;
});
beforeEach(() => journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } }));
afterEach(() => expect(watched.troubles).toEqual([]));
afterAll(() => journey.platform.stop());

async function open(options: Parameters<typeof visits.open>[0]) {
  watched = await visits.open(options);
  const value = consentValue({ statistics: false, marketing: false });
  await watched.context.addCookies([{ name: 'consent', value, url: journey.product.origin }]);
  return watched.page;
}

// All widths in all four languages are looked at by the audit of the site.
test.each([
  { width: 360, height: 740, locale: 'ar' },
  { width: 768, height: 1024, locale: 'ja' },
  { width: 1025, height: 800, locale: 'de' },
  { width: 1440, height: 900, locale: '' },
])(
  'everything at once moves, breaks and covers nothing at $width by $height in /$locale',
  { timeout: 90_000 },
  async (view) => {
    await open(optionsOf(view));
    await auditPromotedPage(watched, view, journey);
  },
);

test('Escape closes one thing after another, the dialog first, until only the page is left', async () => {
  const page = await open(optionsOf({ width: 1440, height: 900, locale: '' }));
  await page.goto('/');
  await untilScriptsRun(page);
  const open_ = page.locator('.promotion :is(.ad, .side-card):not([inert])');
  await eventually(() => open_.count()).toBe(5);
  await page.locator('[commandfor="desktop-app"]').click();
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  const before = await open_.count();
  await page.keyboard.press('Escape');
  await eventually(() => open_.count()).toBe(before - 1);
});
