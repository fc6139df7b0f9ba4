import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { cardLooks } from '../../src/site/promotion/cards/looks.ts';
import { contrastViolations, violations } from '../support/audit/axe.ts';
import { untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { everyLook } from '../support/cards.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { nothingOfOurs } from '../support/promotion.ts';
import { siteFile } from '../support/site-file.ts';
import { ask, hasResult, holdQuestions } from '../support/tool-visits.ts';
import { until } from '../support/until.ts';

let journey: Journey;
const visits = visitInBrowser(async () => {
  const SITE_CONFIG = siteFile({ consent: 'off', ...nothingOfOurs, recommend_right_ad: everyLook });
  journey = await startJourney({ env: { SITE_CONFIG } });
  return journey.product;
});
afterAll(() => journey.platform.stop());

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Opens a page whose time stands still, at its first card. */
async function open(path: string, options: BrowserContextOptions = desktop) {
  const watched = await visits.open(options);
  const { page } = watched;
  await page.clock.install();
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(path);
  await untilScriptsRun(page);
  // Later than a slow page, and sooner than the page gives up a part of it.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  // What the page loads takes its own time.
  await until('the cards are known', async () => {
    await pass(page, 10);
    return (await page.locator('.side-cards:not([data-rows="0"])').count()) > 0;
  });
  return watched;
}

/** So much of a time has passed at the most when a page is opened. */
const early = 40;
const pass = (page: Page, ms: number) => page.clock.runFor(ms);
const titles = (page: Page) => page.locator('.side-card:not([inert])');
const count = (page: Page) => titles(page).count();
const isInside = (page: Page, selector: string) =>
  page.evaluate((inside) => document.activeElement?.closest(inside) != null, selector);
const shifts = (page: Page) => page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);

test('one card comes at once and a second after 500 ms; the next 5 s after one was closed, for good for a day', async () => {
  const { page, context, troubles } = await open('/contact');
  await pass(page, 20);
  expect(await count(page)).toBe(1);
  await pass(page, 480 - early);
  expect(await count(page)).toBe(1);
  await pass(page, early);
  expect(await count(page)).toBe(2);
  const [first = ''] = await page.locator('.side-card').evaluateAll((cards) => cards.map(({ id }) => id));
  await page.locator('.side-card-close').first().click();
  await page.mouse.move(300, 20);
  await pass(page, 590);
  expect(await page.locator('.side-card').count()).toBe(2);
  await pass(page, 10);
  expect(await page.locator('.side-card').count()).toBe(1);
  await pass(page, 4390);
  expect(await count(page)).toBe(1);
  await pass(page, 20);
  expect(await count(page)).toBe(2);
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'popup_date');
  expect(cookie?.value).toMatch(new RegExp(`^${first}:\\d{10}$`));
  expect(await page.locator(`#${first}`).count()).toBe(0);
  expect(await shifts(page)).toEqual([]);
  expect(troubles).toEqual([]);
});

test('a phone waits 5 s and has one card, which a finger pushes out', async () => {
  const { page } = await open('/author', phone);
  await pass(page, 4990 - early);
  expect(await count(page)).toBe(0);
  await pass(page, 10 + early);
  expect(await count(page)).toBe(1);
  await pass(page, 60_000);
  expect(await count(page)).toBe(1);
  const card = page.locator('.side-card');
  const box = await card.boundingBox();
  expect(box?.width).toBeLessThanOrEqual(360 - 16);
  const touch = { pointerType: 'touch', pointerId: 5, isPrimary: true, bubbles: true };
  await card.dispatchEvent('pointerdown', { ...touch, clientX: 100 });
  await card.dispatchEvent('pointermove', { ...touch, clientX: 250 });
  await card.dispatchEvent('pointerup', { ...touch, clientX: 250 });
  await pass(page, 620);
  expect(await page.locator('.side-card').count()).toBe(0);
  expect(await shifts(page)).toEqual([]);
});

test('a card is told once to a screen reader, takes no focus, and says whose it is', async () => {
  const { page } = await open('/contact');
  await pass(page, 600);
  const status = page.locator('.promotion [role="status"]');
  expect(await status.textContent()).toMatch(/^(?:Advertisement|From us): A boat for every bay$/);
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  const [title] = await page.locator('.side-card-title').all();
  expect(await title?.getAttribute('rel')).toMatch(/^(?:sponsored )?noopener$/);
  const region = page.getByRole('region', { name: 'Notices' });
  expect(await region.getByRole('link', { name: 'A boat for every bay' }).count()).toBe(2);
  const wide = await page
    .locator('.side-card')
    .first()
    .evaluate((card) => (card as HTMLElement).offsetWidth);
  expect(wide).toBe(380);
});

test('by keyboard a card is closed, the focus stays near, and nothing comes while it is there', async () => {
  const { page } = await open('/contact');
  await pass(page, 600);
  await page.locator('.footer a').last().focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await isInside(page, '.side-card')).toBe(true);
  await page.keyboard.press('Enter');
  expect(await isInside(page, '.side-card:not([inert])')).toBe(true);
  await pass(page, 60_000);
  expect(await count(page)).toBe(1);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.closest('.footer') !== null);
  await pass(page, 5000);
  expect(await count(page)).toBe(2);
});

test('nothing comes while the mouse is over a card, nor while the tool is at work', async () => {
  const { page } = await open('/contact');
  await pass(page, 20);
  await titles(page).first().hover();
  await pass(page, 60_000);
  expect(await count(page)).toBe(1);
  await page.mouse.move(300, 20);
  await pass(page, 500);
  expect(await count(page)).toBe(2);

  const working = await open('/', { viewport: { width: 1440, height: 1200 } });
  const release = await holdQuestions(working.page);
  await ask(working.page, journey.platform.link('ordinary'));
  await working.page.locator('.result-waiting').waitFor();
  await pass(working.page, 60_000);
  expect(await count(working.page)).toBe(0);
  release();
});

test('Escape closes the card on top, and the one below it next', async () => {
  const { page } = await open('/contact');
  await pass(page, 600);
  const [top, below] = await page.locator('.side-card').evaluateAll((cards) => cards.map(({ id }) => id));
  await page.keyboard.press('Escape');
  await page.locator(`#${top}[inert]`).waitFor({ state: 'attached' });
  expect(await page.locator(`#${below}:not([inert])`).count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.locator(`#${below}[inert]`).waitFor({ state: 'attached' });
});

/** How many cards lie over what is to be kept clear. */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    const boxes = (selector: string) =>
      [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
    return boxes('.side-card:not([inert])').filter((card) =>
      boxes('[data-keep-clear]').some(
        (kept) =>
          kept.width > 0 &&
          kept.height > 0 &&
          card.left < kept.right - 1 &&
          card.right > kept.left + 1 &&
          card.top < kept.bottom - 1 &&
          card.bottom > kept.top + 1,
      ),
    ).length;
  });

test.each([360, 768, 1024, 1025, 1440])('cards %i pixels wide never lie over the tool', async (width) => {
  const { page } = await open('/', { viewport: { width, height: 800 } });
  /** Cards step aside with the next picture. */
  const stepAside = () =>
    until('no card lies over the tool', async () => {
      await pass(page, 20);
      return (await overlaps(page)) === 0;
    });
  await pass(page, 6000);
  await stepAside();
  await ask(page, 'https://www.tiktok.com/nothing');
  await page.locator('#link[aria-invalid="true"]').waitFor();
  await stepAside();
  await ask(page, journey.platform.link('ordinary'));
  await hasResult(page);
  await stepAside();
  for (const share of [0.2, 0.5, 1]) {
    await page.evaluate((part) => scrollTo(0, document.documentElement.scrollHeight * part), share);
    await stepAside();
  }
  await until('there is room again at the foot of the page', async () => {
    await pass(page, 1000);
    return (await count(page)) > 0;
  });
});

test('without motion where the visitor wants none', async () => {
  const { page } = await open('/contact', { ...desktop, reducedMotion: 'reduce' });
  await pass(page, 600);
  const durations = await page
    .locator('.side-card')
    .evaluateAll((cards) => cards.map((card) => getComputedStyle(card).transitionDuration));
  expect(durations).toEqual(['0s', '0s']);
});

test.each([
  ['/contact', 'light'],
  ['/contact', 'dark'],
  ['/ar/contact', 'light'],
] as const)('axe finds nothing on %s, %s', async (path, colorScheme) => {
  const { page } = await open(path, { ...desktop, colorScheme, reducedMotion: 'reduce', bypassCSP: true });
  await pass(page, 600);
  await page.clock.resume();
  expect(await violations(page)).toEqual([]);
  for (const look of cardLooks) {
    await page.locator('.side-card').evaluateAll((cards, name) => {
      for (const card of cards) card.setAttribute('class', `side-card side-card-${name}`);
    }, look);
    expect(await contrastViolations(page)).toEqual([]);
  }
});
