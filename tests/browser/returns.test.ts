import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { changeTo, untilAddress, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';

const visits = visitInBrowser();

/** The start of a visit, and another page with the same code. */
const pairs = [
  ['/', '/tiktok-downloader'],
  ['/tiktok-downloader', '/download-mp3-tiktok'],
  ['/mp3-or-m4a', '/tiktok-link-forms'],
  ['/posts/guides', '/posts/formats'],
  ['/privacy-policy', '/terms-of-use'],
  ['/author/editorial-team', '/author/technical-team'],
  ['/ar', '/ar/tiktok-downloader'],
  ['/ar/posts/guides', '/ar/posts/formats'],
  ['/ar/privacy-policy', '/ar/terms-of-use'],
] as const;

const heading = (page: Page) => page.evaluate(() => document.querySelector('h1')?.textContent);

/** Waits for a heading that differs from the current one. */
const untilHeadingIsNot = (page: Page, old: string | undefined) =>
  page.waitForFunction((text) => ![undefined, text].includes(document.querySelector('h1')?.textContent), old);

const tried = sample(pairs, ([first]) => first === '/');

test.each(tried)('returns to %s, where a visit began, from %s', async (first, second) => {
  const { page, problems } = await visits.open();
  await page.goto(first);
  await untilScriptsRun(page);
  const before = await heading(page);
  const ways: Record<string, () => Promise<unknown>> = {
    Back: () => page.goBack(),
    'a link': () => changeTo(page, first),
    ...(['/', '/ar'].includes(first) && { 'the logo': () => page.locator('.header .logo').click() }),
  };
  for (const [way, go] of Object.entries(ways)) {
    await changeTo(page, second);
    await untilHeadingIsNot(page, before);
    const between = await heading(page);
    await go();
    await untilHeadingIsNot(page, between);
    expect([way, await heading(page), problems]).toEqual([way, before, []]);
  }
});

test('renders a document again that something rewrote on its way, instead of losing it', {
  skip: !isAudit,
}, async () => {
  const { page, problems } = await visits.open();
  // Like translators and extensions: React cannot hydrate such a document.
  await page.route(/\/contact$/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/<h1>.*?<\/h1>/, '<h1>Kontakt</h1>');
    await route.fulfill({ response: answer, body });
  });
  await page.goto('/contact');
  await page.locator('h1', { hasText: 'Contact us' }).waitFor();
  await changeTo(page, '/dmca');
  await untilHeadingIsNot(page, 'Contact us');
  const link = page.locator('.footer-columns').getByRole('link', { name: 'Privacy policy' });
  await link.scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await link.click();
  await untilAddress(page, '/privacy-policy');
  await page.waitForFunction(() => scrollY === 0);
  expect(await page.locator('.error-status').count()).toBe(0);
  expect(problems.filter((problem) => !problem.includes('Minified React error #418'))).toEqual([]);
});

test('a new page begins at its top, and Back returns to the former position', {
  skip: !isAudit,
}, async () => {
  const { page, problems } = await visits.open({ viewport: { width: 1000, height: 600 } });
  await page.goto('/');
  await untilScriptsRun(page);
  await page.locator('#faq-5').scrollIntoViewIfNeeded();
  await page.locator('.footer-columns').getByRole('link', { name: 'Privacy policy' }).click();
  await untilAddress(page, '/privacy-policy');
  await page.waitForFunction(() => scrollY === 0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  await page.goBack();
  await untilAddress(page, '/');
  await page.waitForFunction(() => scrollY > 500);
  expect(problems).toEqual([]);
});

test.each([true, false])(
  'a question opens from its own link, with scripts: %s',
  async (javaScriptEnabled) => {
    const { page, problems } = await visits.open({ javaScriptEnabled });
    await page.goto('/#faq-3');
    if (javaScriptEnabled) await untilScriptsRun(page);
    await page.getByText('Nothing. There’s no subscription').waitFor();
    expect(await page.locator('.faq details[open]').count()).toBe(1);
    expect(problems).toEqual([]);
  },
);
