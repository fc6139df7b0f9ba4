import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { consentValue } from '../../src/site/consent/consent-cookie.ts';
import { expectAccessible } from '../support/audit/color-schemes.ts';
import { expectFitsPhone, kindsOfPages, pathOf } from '../support/audit/narrow-pages.ts';
import { sample } from '../support/audit/scope.ts';
import { inMotion, openPage, untilAddress } from '../support/browser.ts';
import type { Journey } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
let browser: Browser;
beforeAll(async () => {
  [journey, browser] = await Promise.all([sharedJourney(), sharedBrowser()]);
});

const refused = consentValue({ statistics: false, marketing: false });

async function showResult(page: Page): Promise<void> {
  await page.locator('.link-paste, .link-box .icon-button').first().waitFor();
  await page.locator('#link').fill(journey.platform.link('ordinary'));
  await page.locator('.link-submit').click();
  await page.locator('.result-options').waitFor();
}

test.each(sample(['', 'ar'], (language) => language === ''))(
  'axe finds nothing in /%s, in light and in dark',
  { timeout: 180_000 },
  async (language) => {
    const { page, context } = await openPage(browser, journey.product.origin, {
      bypassCSP: true,
    });
    // For Arabic, the audit checks a linked page of each type; the colours are those of English.
    for (const name of language === '' ? kindsOfPages : ['no-such-page']) {
      await page.goto(pathOf(language, name));
      await expectAccessible(page, name);
      // Axe places elements that stick to the window's edge over links that they never cover: only the first page has
      // the question.
      await context.addCookies([{ name: 'consent', value: refused, url: journey.product.origin }]);
    }
    await page.goto(pathOf(language, ''));
    await showResult(page);
    await expectAccessible(page, 'result');
    await context.close();
  },
);

// The audit of the site checks all languages.
test.each(sample(['ar', 'de'], (language) => language === 'ar'))(
  'nothing is wider than a phone of 360 px in /%s, even with letters of twice the size',
  { timeout: 90_000 },
  async (language) => {
    const watched = await openPage(browser, journey.product.origin, {
      viewport: { width: 360, height: 740 },
    });
    await expectFitsPhone(watched, language, journey);
    await watched.context.close();
  },
);

test('nothing moves while a page loads and a result appears', async () => {
  const { page, context } = await openPage(browser, journey.product.origin, inMotion);
  const shifts = await watchShifts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  await showResult(page);
  expect(await shifts.sum(), (await shifts.list()).join('\n')).toBe(0);
  await context.close();
});

test('pages and languages change without loading the document again; Back returns', async () => {
  const { page, context, problems } = await openPage(browser, journey.product.origin);
  await page.goto('/');
  await page.locator('.link-paste').waitFor();
  await page.evaluate('globalThis.sameDocument = true');
  await page.locator('footer').getByRole('link', { name: 'TikTok to MP3' }).click();
  await untilAddress(page, '/download-mp3-tiktok');
  await page.locator('footer').getByRole('link', { name: 'العربية' }).click();
  await untilAddress(page, '/ar/download-mp3-tiktok');
  await page.waitForFunction(
    () => document.documentElement.dir === 'rtl' && document.documentElement.lang === 'ar',
  );
  await page.goBack();
  await page.waitForFunction(
    () => document.documentElement.dir === 'ltr' && document.documentElement.lang === 'en',
  );
  expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
  expect(problems).toEqual([]);
  await context.close();
});

test.each([
  ['/no-such-page', 404],
  ['/xx', 404],
  ['/xx/api', 404],
  ['/tr/ar/api', 200],
])('%s has the status %i', async (path, status) => {
  expect((await journey.get(path)).status).toBe(status);
});

test('old and irregular addresses redirect to the right one, and nowhere else', async () => {
  for (const [path, target] of [
    ['/en/api', '/api'],
    ['/TR', '/tr'],
    ['/tr/tr/api?x=1', '/tr/api?x=1'],
  ] as const) {
    const response = await journey.get(path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, target]);
  }
  for (const path of ['//evil.example', '/%2f/evil.example', '/en//evil.example', '/en/\\evil.example']) {
    const response = await journey.get(path, { redirect: 'manual' });
    expect(response.headers.get('location') ?? '').not.toMatch(/^(?:[a-z]+:)?[/\\]{2}/);
  }
});

test('the head links the page in each language', async () => {
  const html = await (await journey.get('/ar/tiktok-downloader')).text();
  expect(html).toContain('<html lang="ar" dir="rtl"');
  expect(html).toContain('<link rel="canonical" href="https://clipferry.example/ar/tiktok-downloader"/>');
  expect(html).toMatch(/hrefLang="x-default" href="https:\/\/clipferry.example\/tiktok-downloader"/i);
});
