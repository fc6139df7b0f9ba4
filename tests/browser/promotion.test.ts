import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { openPage } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { eventually } from '../support/eventually.ts';
import { openDeciding, startPromoting } from '../support/promotion.ts';

const maxBytes = 10_000;

const visits = visitInBrowser(() =>
  startPromoting({
    ad_info: [{ href: 'https://partner.example/', text: 'A boat', width: 160, height: 180 }],
    ad_mobile_info: [{ href: '/api', text: 'Tools', width: 320, height: 50, effectUrls: ['posts'] }],
  }),
);

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 360, height: 740 } };

/** The promotion files that a page requests, and their transferred bytes. */
function promotionFiles(page: Page): { readonly requested: readonly Request[]; bytes(): Promise<number[]> } {
  const requested: Request[] = [];
  page.on('request', (request) => {
    if (/\/extras-[^/]*\.js$/.test(request.url())) requested.push(request);
  });
  const sizeOf = async (request: Request) => (await request.sizes()).responseBodySize;
  return { requested, bytes: () => Promise.all(requested.map(sizeOf)) };
}

test('promotions come in one small file, after the page itself', async () => {
  const { page, problems } = await visits.open(desktop);
  const { requested, bytes } = promotionFiles(page);
  await page.goto('/');
  await page.locator('.side-banner a').waitFor();
  expect(requested).toHaveLength(1);
  const [size] = await bytes();
  expect(size).toBeGreaterThan(500);
  expect(size).toBeLessThanOrEqual(maxBytes);
  expect(problems).toEqual([]);
});

test('the page requests it 100 ms after its scripts run', { skip: !isAudit }, async () => {
  const { page } = await visits.open(desktop);
  const { requested } = promotionFiles(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.addInitScript(() => {
    const set = setTimeout;
    Object.assign(globalThis, {
      setTimeout(callback: () => void, delayMs: number) {
        if (delayMs === 100) Object.assign(globalThis, { isDecided: true });
        return set(callback, delayMs);
      },
    });
  });
  await openDeciding(page, '/');
  await page.waitForFunction(() => 'isDecided' in globalThis);
  await page.clock.runFor(99);
  expect(requested).toEqual([]);
  await page.clock.runFor(1);
  await eventually(() => requested).toHaveLength(1);
});

test('a page that promotes nothing in its layout loads nothing for it', { skip: !isAudit }, async () => {
  const { page } = await visits.open(phone);
  const { requested } = promotionFiles(page);
  await page.clock.install();
  await openDeciding(page, '/');
  await page.clock.runFor(1000);
  expect(requested).toEqual([]);
  await page.goto('/posts');
  await page.locator('h1').waitFor();
  await page.clock.runFor(1000);
  await page.locator('.bottom-banner a').waitFor();
  expect(requested).toHaveLength(1);
});

test('a site that promotes nothing loads nothing for it, and its page code does not mention it', {
  skip: !isAudit,
}, async () => {
  const product = await startPromoting({});
  const { page, context, problems } = await openPage(visits.browser, product.origin, desktop);
  try {
    const requested: string[] = [];
    page.on('response', (response) => void requested.push(response.url()));
    await page.clock.install();
    await page.goto('/');
    await page.locator('.link-paste').waitFor();
    await page.mouse.move(200, 200);
    await page.clock.runFor(1000);
    expect(requested.filter((url) => /\/(?:promotion|mount|closed)-/.test(url))).toEqual([]);
    const scripts = requested.filter((url) => url.endsWith('.js'));
    const texts = await Promise.all(scripts.map(async (url) => (await fetch(url)).text()));
    const loaded = [await page.content(), ...texts].join('\n');
    expect(loaded).toContain('link-paste');
    for (const part of ['beforeinstallprompt', 'share-panel', 'side-card', 'min-width: 1025px'])
      expect([part, loaded.includes(part)]).toEqual([part, false]);
    expect(problems).toEqual([]);
  } finally {
    await context.close();
    await product.stop();
  }
});

test('what was closed stays away on the next page, and for a day', async () => {
  const { page, context } = await visits.open(desktop);
  await page.goto('/');
  await page.getByRole('button', { name: 'Close advertisement' }).click();
  await page.locator('.side-banner').waitFor({ state: 'detached' });
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'popup_date');
  expect(cookie?.value).toMatch(/^side-banner:\d{10}$/);
  expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000 + 86_400 - 600);
  const { requested } = promotionFiles(page);
  await page.goto('/contact');
  await eventually(() => requested).toHaveLength(1);
  expect(await page.locator('.side-banner').count()).toBe(0);
});
