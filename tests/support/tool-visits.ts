import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { untilScriptsRun, type WatchedPage } from './browser.ts';
import { visitInBrowser } from './browser-visit.ts';
import type { Journey } from './journey.ts';
import { sharedJourney } from './shared-journey.ts';

/** The product, the platform's double and a browser, for the tests of a file that uses the link box. */
export interface ToolVisits {
  /** Exists while tests run. */
  readonly journey: Journey;
  /** The page that was opened last. */
  readonly watched: WatchedPage;
  /** Opens a page with a link box as a fresh visitor, and waits for its scripts if there are any. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Chromium's own report of a request that found no network. */
const isOffline = (problem: string) => problem.includes('ERR_INTERNET_DISCONNECTED');

/** Starts everything before the tests of the calling file; no test may leave an error in its page. */
export function visitTool(start: () => Promise<Journey> = sharedJourney): ToolVisits {
  let journey: Journey;
  let watched: WatchedPage;
  const visits = visitInBrowser(async () => {
    journey = await start();
    return journey.product;
  });
  afterAll(() => journey.platform.stop());
  afterEach(() => expect(watched.problems.filter((problem) => !isOffline(problem))).toEqual([]));
  return {
    get journey() {
      return journey;
    },
    get watched() {
      return watched;
    },
    async open(path, options) {
      watched = await visits.open(options);
      await watched.page.goto(path);
      if (options?.javaScriptEnabled !== false) await untilScriptsRun(watched.page);
      await watched.page.locator('.link-box').waitFor();
      return watched.page;
    },
  };
}

/** Types a text into the link box and submits it. */
export async function submitLink(page: Page, text: string): Promise<void> {
  await page.locator('#link').fill(text);
  await page.locator('#link').press('Enter');
}

/** Waits for a result with something to download. */
export const hasResult = (page: Page): Promise<void> =>
  page.locator('.result-options .option-link').first().waitFor();
/** Whether an element is completely on the screen. */
export const isInSight = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

/** Holds requests to the server back until they are released. */
export async function holdQuestions(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/resolve*', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
