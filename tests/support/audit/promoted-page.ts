import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { consentValue } from '../../../src/site/consent/consent-cookie.ts';
import { untilScriptsRun, type WatchedPage } from '../browser.ts';
import type { BrowserVisits } from '../browser-visit.ts';
import { eventually } from '../eventually.ts';
import type { Journey } from '../journey.ts';
import { watchShifts } from '../layout-shift.ts';
import { hasResult, submitLink } from '../tool-visits.ts';
import { expectAccessible } from './color-schemes.ts';

/** The parts of the tool and the consent bar that a promotion covers. */
export const coveredByPromotion = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const boxes = (selector: string) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map((element) => ({ name: element.className, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0);
    const above = boxes(
      '.promotion :is(.ad, .side-card):not([inert], [inert] *), .promotion .share-panel[data-shown]',
    );
    return boxes('.hero-form, .outcome > *, .consent').flatMap(({ name, box }) =>
      above
        .filter(
          (one) =>
            one.box.left < box.right - 1 &&
            one.box.right > box.left + 1 &&
            one.box.top < box.bottom - 1 &&
            one.box.bottom > box.top + 1,
        )
        .map((one) => `${name} below ${one.name}`),
    );
  });

/** Scrolls down the page, and checks at each step that the tool is not covered. */
async function expectClearEverywhere(page: Page): Promise<void> {
  for (const top of [0, 150, 300, 450, 600, 900, 1e6]) {
    await page.evaluate((y) => scrollTo(0, y), top);
    await eventually(() => coveredByPromotion(page)).toEqual([]);
  }
  await page.evaluate(() => scrollTo(0, 0));
}

/** A visitor's window, and the language of the page. */
export interface PromotedView {
  readonly width: number;
  readonly height: number;
  /** '' is English. */
  readonly locale: string;
}

/** Opens a window for a view, a phone's if it is narrow, for a visitor who has answered the consent bar. */
export async function openPromoted(
  visits: BrowserVisits,
  { width, height }: Omit<PromotedView, 'locale'>,
  { statistics = false } = {},
): Promise<WatchedPage> {
  const watched = await visits.open({
    viewport: { width, height },
    reducedMotion: 'reduce',
    bypassCSP: true,
    ...(width < 600 && { isMobile: true, hasTouch: true }),
  });
  const value = consentValue({ statistics, marketing: false });
  await watched.context.addCookies([{ name: 'consent', value, url: visits.product.origin }]);
  return watched;
}

/**
 * Uses the tool on a home page with every kind of promotion, and checks that promotion moves, covers or breaks nothing:
 * with no link, a wrong one, a result, a running conversion and, on a phone, the keyboard open.
 * @param watched from {@link openPromoted}
 */
export async function auditPromotedPage(
  { page, problems }: WatchedPage,
  view: PromotedView,
  { platform }: Journey,
): Promise<void> {
  const { width, height, locale } = view;
  const name = `${width} ${locale}`;
  const shifts = await watchShifts(page);
  await page.goto(`/${locale}`);
  await untilScriptsRun(page);
  const place = width > 1024 ? '.footer-banners' : '.bottom-banner';
  await page.locator(`${place} .ad:not([inert]) a`).first().waitFor();
  // Without room beside the tool, a card appears further down.
  await page.evaluate(() => scrollTo(0, innerHeight * 2));
  await page.locator('.side-card:not([inert])').first().waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('[commandfor="desktop-app"]').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await expectClearEverywhere(page);
  await expectAccessible(page, name);
  expect([name, await shifts.sum('.promotion')]).toEqual([name, 0]);
  expect(await shifts.sum()).toBe(0);

  await submitLink(page, 'no link');
  await page.locator('.notice-error').waitFor();
  await expectClearEverywhere(page);
  await submitLink(page, platform.link('ten-minutes'));
  await hasResult(page);
  await expectClearEverywhere(page);
  await page.locator('.option-link[href*=".mp3."]').click();
  await page.locator('.option-link .progress').waitFor();
  await expectClearEverywhere(page);
  await expectAccessible(page, `${name} converting`);
  if (width < 600) {
    await page.locator('#link').focus();
    await page.setViewportSize({ width, height: 330 });
    await eventually(() => coveredByPromotion(page)).toEqual([]);
    await eventually(() => page.locator('.promotion :is(.ad, .side-card):not([inert])').count()).toBe(0);
    await page.setViewportSize({ width, height });
    await page.locator('#link').blur();
  }
  // Other tests measure how the tool itself moves.
  expect([name, await shifts.sum('.promotion')]).toEqual([name, 0]);
  expect(problems).toEqual([]);
}
