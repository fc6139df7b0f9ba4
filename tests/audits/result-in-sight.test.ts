import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { inMotion, untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { eventually } from '../support/eventually.ts';
import type { Journey } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { startDemo } from '../support/promotion.ts';

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startDemo();
  return journey.product;
});
afterAll(() => journey.platform.stop());

/** The first two buttons of a result, or the one for all of a slideshow. */
const firstButtons: Readonly<Record<string, readonly string[]>> = {
  ordinary: ['.option:nth-of-type(1) .option-link', '.option:nth-of-type(2) .option-link'],
  'photos-35': ['.option:nth-of-type(1) .option-link', '.option:nth-of-type(2) .option-link'],
};

/** The elements whose centre a finger cannot reach. */
const outOfReach = (page: Page, selectors: readonly string[]) =>
  page.evaluate(
    (all) =>
      all.filter((selector) => {
        const thing = document.querySelector(selector);
        const { x, y, width, height } = thing?.getBoundingClientRect() ?? new DOMRect();
        const points = [0.1, 0.5, 0.9].map((part) => [x + width * part, y + height / 2] as const);
        return !points.every(([at, down]) => thing?.contains(document.elementFromPoint(at, down)) === true);
      }),
    selectors,
  );

const views = [
  [320, 568],
  [360, 560],
  [390, 664],
  [768, 1024],
  [1440, 900],
] as const;
const posts = Object.keys(firstButtons);
const cases = views.flatMap(([width, height]) => posts.map((post) => ({ width, height, post })));

test.each(cases)(
  'at $width by $height nothing covers the first buttons of $post, with everything promoted and the question open',
  async ({ width, height, post }) => {
    const { page, problems } = await visits.open({
      ...inMotion,
      viewport: { width, height },
      ...(width < 600 && { isMobile: true, hasTouch: true }),
    });
    const shifts = await watchShifts(page);
    const link = journey.platform.link(post);
    const buttons = firstButtons[post] ?? [];
    const expectInReach = async (what: string) => {
      await page.locator('.result-options').waitFor();
      await page.locator('.promotion').waitFor({ state: 'attached' });
      await eventually(() => outOfReach(page, buttons)).toEqual([]);
      // The question waits below the file.
      expect([what, await page.locator('#consent').isVisible()]).toEqual([what, false]);
    };
    for (const path of ['', 'de/tiktok-downloader', 'ar', 'ja', 'ru']) {
      await page.goto(`/${path}?url=${encodeURIComponent(link)}`);
      await untilScriptsRun(page);
      await expectInReach(`${path} by address`);
      expect([path, await shifts.sum()]).toEqual([path, 0]);
      await page.goto(`/${path}`);
      await untilScriptsRun(page);
      await page.locator('#link').fill(link);
      await page.locator('#link').press('Enter');
      await expectInReach(`${path} by paste`);
    }
    expect(problems).toEqual([]);
  },
);
