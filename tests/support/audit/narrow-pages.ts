import { expect } from 'vitest';
import type { WatchedPage } from '../browser.ts';
import type { Journey } from '../journey.ts';
import { sample } from './scope.ts';

/** A page of each kind, by its path without a language; in the audit every downloader. */
export const kindsOfPages = sample(
  [
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
  ],
  (page) => !['tiktok-downloader', 'tiktok-video-downloader', 'download-mp3-tiktok'].includes(page),
);

/** Posts whose results differ in what is wide. */
const results = sample(
  ['ordinary', 'photos', 'long-text', 'rtl-title', 'dotted-handle'],
  (post) => post === 'photos' || post === 'long-text',
);

const wrongLinks = sample(
  ['no link', 'https://www.tiktok.com/@somebody', 'https://example.com/video/1'],
  (text) => text === 'no link',
);

/** The path of a page in a language; '' is English. */
export const pathOf = (language: string, page: string) => `/${[language, page].filter(Boolean).join('/')}`;

/** Letters of twice the size: a setting in the browser, or on a phone for all programs. */
const largeLetters = { standard: 32, fixed: 26 };
const usualLetters = { standard: 16, fixed: 13 };

/**
 * Opens every kind of page, with its menus, results and errors, in a window 360 pixels wide, and checks that nothing is
 * wider, also with double text size.
 * @param language '' is English
 */
export async function expectFitsPhone(
  { page, context, problems }: WatchedPage,
  language: string,
  { platform }: Journey,
): Promise<void> {
  const session = await context.newCDPSession(page);
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  /** With normal letters and with large ones. */
  const expectFits = async (what: string) => {
    expect([what, await overflow()]).toEqual([what, 0]);
    await inLargeLetters(async () => expect([what, 'large', await overflow()]).toEqual([what, 'large', 0]));
  };
  const inLargeLetters = async (look: () => Promise<void>) => {
    await session.send('Page.setFontSizes', { fontSizes: largeLetters });
    await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px');
    await look();
    await session.send('Page.setFontSizes', { fontSizes: usualLetters });
    await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '16px');
  };
  for (const name of kindsOfPages) {
    await page.goto(pathOf(language, name));
    await expectFits(name);
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
  for (const post of results) {
    await page.locator('#link').fill(platform.link(post));
    await page.locator('.link-submit').click();
    await page.locator('.result-options').waitFor();
    await expectFits(post);
  }
  for (const wrong of wrongLinks) {
    await page.locator('#link').fill(wrong);
    await page.locator('.link-submit').click();
    await page.locator('#tool-failure').waitFor();
    await expectFits(wrong);
  }
  await page.goto(pathOf(language, 'contact'));
  await page.locator('.message-form [type=submit]').click();
  await page.locator('.form-error').waitFor();
  await expectFits('contact');
  expect(problems).toEqual([]);
}
