import { expect } from 'vitest';
import type { WatchedPage } from '../browser.ts';
import type { Journey } from '../journey.ts';

/** A page of each kind, by its path without a language. */
export const kindsOfPages = [
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
] as const;

/** The path of a page in a language; '' is English. */
export const pathOf = (language: string, page: string) => `/${[language, page].filter(Boolean).join('/')}`;

/** Letters of twice the size: what a visitor sets in the browser, or a phone for all of its programs. */
const largeLetters = { standard: 32, fixed: 26 };
const usualLetters = { standard: 16, fixed: 13 };

/**
 * Looks at every kind of page, with its menus, results and errors, in a window that is 360 pixels wide, and sees that
 * nothing is wider, with letters of twice the size either.
 * @param language '' is English
 */
export async function expectFitsPhone(
  { page, context, troubles }: WatchedPage,
  language: string,
  { platform }: Journey,
): Promise<void> {
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
  for (const name of kindsOfPages) {
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
    await page.locator('#link').fill(platform.link(post));
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
}
