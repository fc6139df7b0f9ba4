import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { untilAddress, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { openDeciding } from '../support/promotion.ts';
import { siteFile } from '../support/site-file.ts';
import { hasResult, submitLink } from '../support/tool-visits.ts';
import { until } from '../support/until.ts';

/** The default site, without its other questions. */
let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startJourney({
    env: { SITE_CONFIG: siteFile({ consent: 'off', share_config: undefined }) },
  });
  return journey.product;
});
afterAll(() => journey.platform.stop());

const desktop = { viewport: { width: 1440, height: 900 } };

/** Opens a page, and records the requests for cards. */
async function open(path: string, visitedBefore: boolean) {
  const watched = await visits.open(desktop);
  const { page } = watched;
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/cards') requested.push(search);
  });
  if (visitedBefore)
    await page.addInitScript(() => {
      const article = { href: '/mp3-or-m4a', title: 'MP3 or M4A', lang: 'en' };
      localStorage.setItem('recent_visits', JSON.stringify([article]));
    });
  await page.goto(path);
  await untilScriptsRun(page);
  return { ...watched, requested };
}

/** The actions of a visitor who begins to look at a page. */
async function begin(page: Page): Promise<void> {
  await page.mouse.move(200, 200);
  await page.mouse.move(210, 210);
}

/** Repeats them: the listener for the first movement may not be loaded yet. */
const beginUntil = (page: Page, what: string, isSo: () => boolean | Promise<boolean>) =>
  until(what, async () => {
    await begin(page);
    return isSo();
  });
const titles = (page: Page) => page.locator('.side-card-title').allTextContents();

test('a first visit has no tip until the visitor has a file', { skip: !isAudit }, async () => {
  const { page, requested, problems } = await open('/', false);
  await begin(page);
  await submitLink(page, journey.platform.link('ordinary'));
  await hasResult(page);
  expect(requested).toEqual([]);
  const download = page.waitForEvent('download');
  await page.locator('.option-link').first().click();
  expect(await (await download).failure()).toBeNull();
  await until('the cards were asked for', () => requested.length === 1);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.locator('.side-card').waitFor();
  expect(await page.locator('.side-card').count()).toBe(1);
  expect(problems).toEqual([]);
});

test('a returning visitor has one tip a day, which fits the page and the device', async () => {
  const { page, context, requested } = await open('/de/tiktok-video-downloader', true);
  expect(requested).toEqual([]);
  await beginUntil(page, 'a card is there', async () => (await page.locator('.side-card').count()) > 0);
  expect(requested).toEqual(['?path=%2Fde%2Ftiktok-video-downloader']);
  const [title = ''] = await titles(page);
  const article = await fetch(`${journey.product.origin}/de/posts`);
  expect(article.status).toBe(200);
  expect(['Tipp']).toContain(await page.locator('.side-card-label').textContent());
  expect(title).not.toBe('');
  const noted = (await context.cookies()).find(({ name }) => name === 'popup_date');
  expect(noted?.value).toMatch(/^tip:\d{10}$/);
  await page.reload();
  await untilScriptsRun(page);
  await begin(page);
  await page.clock.install();
  await openDeciding(page, '/de/contact');
  await begin(page);
  await page.clock.runFor(1000);
  expect(await page.locator('.side-card').count()).toBe(0);
  expect(requested).toEqual(['?path=%2Fde%2Ftiktok-video-downloader']);
});

const moments = ['when the cards are known', 'before the page’s scripts run'];

test.each(sample(moments, (when) => when.startsWith('before')))(
  'offers the app when the browser can install it, and the browser asks: it says so %s',
  async (when) => {
    const { page, problems } = await visits.open(desktop);
    const offerInstall = () => {
      const offer = new Event('beforeinstallprompt', { cancelable: true });
      Object.assign(offer, {
        prompt: async () => {
          Object.assign(globalThis, { hasAsked: true });
          return { outcome: 'accepted' };
        },
      });
      dispatchEvent(offer);
      Object.assign(globalThis, { isHeld: offer.defaultPrevented });
    };
    const isEarly = when.startsWith('before');
    if (isEarly)
      await page.addInitScript(
        `document.addEventListener('readystatechange', ${offerInstall}, { once: true })`,
      );
    await page.route('**/api/cards*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: { cards: { type: string }[] } };
      // Keeps only the tested tip.
      answer.data.cards = answer.data.cards.filter(({ type }) => type === 'install');
      await route.fulfill({ json: answer });
    });
    await page.addInitScript(() => localStorage.setItem('recent_visits', '[]'));
    await page.goto('/contact');
    await untilScriptsRun(page);
    let isAnswered = false;
    page.on('response', (response) => {
      isAnswered ||= response.url().includes('/api/cards');
    });
    await beginUntil(page, 'the cards are known', () => isAnswered);
    if (!isEarly) {
      expect(await page.locator('.side-card').count()).toBe(0);
      await page.evaluate(offerInstall);
    }
    await page.getByRole('button', { name: 'Install clipferry.example' }).click();
    await page.locator('.side-card').waitFor({ state: 'detached' });
    const state = await page.evaluate(() => {
      const { hasAsked, isHeld } = globalThis as { hasAsked?: boolean; isHeld?: boolean };
      return { hasAsked, isHeld };
    });
    expect(state).toEqual({ hasAsked: true, isHeld: true });
    expect(problems).toEqual([]);
  },
);

test('the example is for visitors who have saved nothing yet, and one press away', {
  skip: !isAudit,
}, async () => {
  const { page } = await visits.open(desktop);
  await page.route('**/api/cards*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: { cards: { type: string }[] } };
    answer.data.cards = answer.data.cards.filter(({ type }) => type === 'example');
    await route.fulfill({ json: answer });
  });
  await page.addInitScript(() => localStorage.setItem('recent_visits', '[]'));
  await page.goto('/contact');
  await untilScriptsRun(page);
  const example = page.getByRole('link', { name: 'See it work first' });
  await beginUntil(page, 'the example is offered', async () => (await example.count()) > 0);
  await example.click();
  await untilAddress(page, '/', /tiktok\.com/);
});
