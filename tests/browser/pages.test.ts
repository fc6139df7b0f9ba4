import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/audit/color-schemes.ts';
import { launchBrowser, openPage, untilAddress } from '../support/browser.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { measureShifts } from '../support/layout-shift.ts';

const pages = [
  '',
  'tiktok-downloader',
  'tiktok-video-downloader',
  'download-mp3-tiktok',
  'api',
  'contact',
  'privacy-policy-new1',
  'posts',
  'author',
  'pagelink',
  'no-such-page',
];

let journey: Journey;
let browser: Browser;
beforeAll(async () => {
  [journey, browser] = await Promise.all([startJourney(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await journey.stop();
});

const pathOf = (language: string, page: string) => `/${[language, page].filter(Boolean).join('/')}`;

async function showResult(page: Page): Promise<void> {
  await page.locator('.link-paste, .link-box .icon-button').first().waitFor();
  await page.locator('#link').fill(journey.platform.link('ordinary'));
  await page.locator('.link-submit').click();
  await page.locator('.result-options').waitFor();
}

test.each(['', 'ar'])(
  'axe finds nothing in /%s, in light and in dark',
  { timeout: 90_000 },
  async (language) => {
    const { page, context } = await openPage(browser, journey.product.origin, {
      bypassCSP: true,
    });
    // Of Arabic, the audit looks at a page of each type that is linked to; the colours are those of English.
    for (const name of language === '' ? pages : ['no-such-page']) {
      await page.goto(pathOf(language, name));
      await expectAccessible(page, name);
    }
    await page.goto(pathOf(language, ''));
    await showResult(page);
    await expectAccessible(page, 'result');
    await context.close();
  },
);

/** Letters of twice the size: what a visitor sets in the browser, or a phone for all of its programs. */
const largeLetters = { standard: 32, fixed: 26 };
const usualLetters = { standard: 16, fixed: 13 };

test.each(['', 'tr', 'ar', 'de', 'ja', 'th', 'hi'])(
  'nothing is wider than a phone of 360 px in /%s, with letters of twice the size either',
  { timeout: 90_000 },
  async (language) => {
    const { page, context, troubles } = await openPage(browser, journey.product.origin, {
      viewport: { width: 360, height: 740 },
    });
    const session = await context.newCDPSession(page);
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const inLargeLetters = async (look: () => Promise<void>) => {
      await session.send('Page.setFontSizes', { fontSizes: largeLetters });
      await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px');
      await look();
      await session.send('Page.setFontSizes', { fontSizes: usualLetters });
      await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '16px');
    };
    for (const name of pages) {
      await page.goto(pathOf(language, name));
      expect([name, await overflow()]).toEqual([name, 0]);
      await inLargeLetters(async () => expect([name, 'large', await overflow()]).toEqual([name, 'large', 0]));
    }
    await page.goto(pathOf(language, ''));
    await page.locator('.link-box .button').first().waitFor();
    await inLargeLetters(async () => {
      for (const popup of ['.header-drawer', '.header-languages', '.footer-tools']) {
        await page.locator(`${popup} > summary`).click();
        expect([popup, await overflow()]).toEqual([popup, 0]);
      }
    });
    await page.goto(pathOf(language, ''));
    await page.locator('.link-box .button').first().waitFor();
    for (const post of ['ordinary', 'photos', 'long-text', 'rtl-title', 'dotted-handle']) {
      await page.locator('#link').fill(journey.platform.link(post));
      await page.locator('.link-submit').click();
      await page.locator('.result-options').waitFor();
      expect([post, await overflow()]).toEqual([post, 0]);
    }
    for (const wrong of ['no link', 'https://www.tiktok.com/@somebody', 'https://example.com/video/1']) {
      await page.locator('#link').fill(wrong);
      await page.locator('.link-submit').click();
      await page.locator('#tool-failure').waitFor();
      expect([wrong, await overflow()]).toEqual([wrong, 0]);
    }
    await page.goto(pathOf(language, 'contact'));
    await page.locator('.message-form [type=submit]').click();
    await page.locator('.form-error').waitFor();
    expect(['contact', await overflow()]).toEqual(['contact', 0]);
    expect(troubles).toEqual([]);
    await context.close();
  },
);

test('nothing moves while a page loads and a result appears', async () => {
  const { page, context } = await openPage(browser, journey.product.origin);
  const shift = await measureShifts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  await showResult(page);
  expect(await shift()).toBeLessThan(0.01);
  await context.close();
});

test('pages and languages change without loading the document again; Back goes back', async () => {
  const { page, context, troubles } = await openPage(browser, journey.product.origin);
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
  expect(troubles).toEqual([]);
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

test('old and oddly written addresses lead to the right one, and nowhere else', async () => {
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

test('the head says where the page is found in each language', async () => {
  const html = await (await journey.get('/ar/tiktok-downloader')).text();
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toContain('<link rel="canonical" href="https://clipferry.example/ar/tiktok-downloader"/>');
  expect(html).toMatch(/hrefLang="x-default" href="https:\/\/clipferry.example\/tiktok-downloader"/i);
});
