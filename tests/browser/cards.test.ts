import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { cardLooks } from '../../src/features/promotion/item.ts';
import { contrastViolations, violations } from '../support/audit/axe.ts';
import { isAudit } from '../support/audit/scope.ts';
import { inMotion, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { everyLook } from '../support/cards.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { nothingOfOurs } from '../support/promotion.ts';
import { siteFile } from '../support/site-file.ts';
import { hasResult, holdQuestions, submitLink } from '../support/tool-visits.ts';
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

/** Opens a page with a stopped clock, at its first card. */
async function open(path: string, options: BrowserContextOptions = desktop) {
  const watched = await visits.open({ ...inMotion, ...options });
  const { page } = watched;
  await page.clock.install();
  // From the beginning: the loading time of a page must not count.
  await page.clock.pauseAt(Date.now() + 60_000);
  const shifts = await watchShifts(page);
  await page.goto(path);
  await untilScriptsRun(page);
  // The page's requests take real time.
  await until('the cards are known', async () => {
    await pass(page, 10);
    return (await page.locator('.side-cards:not([data-rows="0"])').count()) > 0;
  });
  return { ...watched, shifts };
}

/** At most this much fake time has passed when a page has opened. */
const early = 40;
const pass = (page: Page, ms: number) => page.clock.runFor(ms);
const titles = (page: Page) => page.locator('.side-card:not([inert])');
const count = (page: Page) => titles(page).count();
const isInside = (page: Page, selector: string) =>
  page.evaluate((inside) => document.activeElement?.closest(inside) != null, selector);

test('one card comes at once and a second after 500 ms; the next comes 5 s after one was closed, and closed cards stay away for a day', async () => {
  const { page, context, problems, shifts } = await open('/contact');
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
  expect(await shifts.list()).toEqual([]);
  expect(problems).toEqual([]);
});

test('a phone waits 5 s and shows one card, which a finger pushes out', { skip: !isAudit }, async () => {
  const { page, shifts } = await open('/author', phone);
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
  expect(await shifts.list()).toEqual([]);
});

test('a screen reader announces a card once; the card takes no focus, and says whose it is', async () => {
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

test('a card has one line for its title and two for its description, however long they are', {
  skip: !isAudit,
}, async () => {
  const { page } = await open('/contact');
  await pass(page, 20);
  const lines = await page
    .locator('.side-card')
    .first()
    .evaluate((card) =>
      ['.side-card-title', '.side-card-about'].map((selector) => {
        const text = card.querySelector<HTMLElement>(selector);
        if (text === null) return null;
        text.textContent = 'A boat for every bay, and a bay for every boat. '.repeat(8);
        return text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight);
      }),
    );
  expect(lines.map((share) => Math.round((share ?? 0) * 100) / 100)).toEqual([1, 2]);
});

test('the keyboard closes a card, the focus stays near, and no card comes while it is there', {
  skip: !isAudit,
}, async () => {
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

test('no card comes while the mouse is over one, nor while the tool is working', {
  skip: !isAudit,
}, async () => {
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
  await submitLink(working.page, journey.platform.link('ordinary'));
  await working.page.locator('.result-waiting').waitFor();
  const atFirst = await count(working.page);
  // The second card would come after half a second.
  expect(atFirst).toBeLessThan(2);
  await pass(working.page, 60_000);
  expect(await count(working.page)).toBe(atFirst);
  release();
});

test('no card comes during a conversion', { skip: !isAudit }, async () => {
  const { page } = await open('/', { viewport: { width: 1440, height: 900 } });
  await journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 500_000 } } });
  await submitLink(page, journey.platform.link('ten-minutes'));
  await hasResult(page);
  await page.locator('.option-link[href*=".mp3."]').click();
  await page.locator('.option-link .progress').waitFor();
  const toFoot = () => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await toFoot();
  await pass(page, 300);
  // One may have been present before.
  const before = await count(page);
  await pass(page, 60_000);
  await page.locator('.option-link .progress').waitFor();
  expect(await count(page)).toBe(before);
  await page.getByRole('button', { name: 'Cancel' }).first().click();
  await page.locator('.option-link .progress').waitFor({ state: 'detached' });
  await toFoot();
  await until('a further card comes', async () => {
    await pass(page, 100);
    return (await count(page)) > before;
  });
});

test('Escape closes the topmost card, then the one below it', { skip: !isAudit }, async () => {
  const { page } = await open('/contact');
  await pass(page, 600);
  const [top, below] = await page.locator('.side-card').evaluateAll((cards) => cards.map(({ id }) => id));
  await page.keyboard.press('Escape');
  await page.locator(`#${top}[inert]`).waitFor({ state: 'attached' });
  expect(await page.locator(`#${below}:not([inert])`).count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.locator(`#${below}[inert]`).waitFor({ state: 'attached' });
});

/** Number of cards over protected elements. */
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

test.runIf(isAudit).each([360, 768, 1024, 1025, 1440])(
  'cards %i pixels wide never cover the tool',
  async (width) => {
    const { page } = await open('/', { viewport: { width, height: 800 } });
    /** Cards make room with the next frame. */
    const stepAside = () =>
      until('no card lies over the tool', async () => {
        await pass(page, 20);
        return (await overlaps(page)) === 0;
      });
    await pass(page, 6000);
    await stepAside();
    await submitLink(page, 'https://www.tiktok.com/nothing');
    await page.locator('#link[aria-invalid="true"]').waitFor();
    await stepAside();
    await submitLink(page, journey.platform.link('ordinary'));
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
  },
);

/** Opens a page, makes a card appear and disappear, and reports which of the two moved: "in" or "out". */
async function seeMoves(reducedMotion: 'reduce' | 'no-preference') {
  const watched = await open('/contact', { ...desktop, reducedMotion });
  const { page } = watched;
  await page.evaluate(() => {
    const moves: string[] = [];
    Object.assign(globalThis, { moves });
    document.addEventListener('transitionrun', ({ target, propertyName }) => {
      const isCard = target instanceof HTMLElement && target.classList.contains('side-card');
      if (isCard && propertyName === 'translate') moves.push(target.inert ? 'out' : 'in');
    });
  });
  // The first has appeared or appears now; the second is seen from its beginning.
  await pass(page, 600);
  await page.locator('.side-card-close').first().click();
  await page.locator('.side-card[inert]').waitFor({ state: 'attached' });
  return {
    page,
    moves: () => page.evaluate(() => [...(globalThis as unknown as { moves: string[] }).moves]),
  };
}

test('cards slide in and out', { skip: !isAudit }, async () => {
  const { moves } = await seeMoves('no-preference');
  await until('one slides in', async () => (await moves()).includes('in'));
  await until('one slides out', async () => (await moves()).includes('out'));
});

test('does not animate them for a visitor who prefers reduced motion', { skip: !isAudit }, async () => {
  const { page, moves } = await seeMoves('reduce');
  const durations = await page
    .locator('.side-card')
    .evaluateAll((cards) => cards.map((card) => getComputedStyle(card).transitionDuration));
  expect(durations).toEqual(['0s', '0s']);
  expect(await moves()).toEqual([]);
});

const pages = [
  ['/contact', 'light'],
  ['/contact', 'dark'],
  ['/ar/contact', 'light'],
] as const;
test.runIf(isAudit).each(pages)('axe finds nothing on %s, %s', async (path, colorScheme) => {
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
