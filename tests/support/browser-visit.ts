import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openPage, type WatchedPage } from './browser.ts';
import type { RunningProduct } from './product.ts';
import { sharedBrowser } from './shared-browser.ts';
import { sharedJourney } from './shared-journey.ts';

/** The product and a browser, for the tests of one file. */
export interface BrowserVisits {
  /** Exists while tests run. */
  readonly product: RunningProduct;
  readonly browser: Browser;
  /** Opens a page as a fresh visitor, who leaves when the test ends. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
}

const sharedProduct = async () => (await sharedJourney()).product;

/**
 * Starts the product and a browser before the tests of the calling file, and ends them afterwards.
 * @param start starts another product than that of the worker
 * @param launch starts another browser than that of the worker
 */
export function visitInBrowser(
  start: () => Promise<RunningProduct> = sharedProduct,
  launch?: () => Promise<Browser>,
): BrowserVisits {
  let product: RunningProduct;
  let browser: Browser;
  let opened: WatchedPage[] = [];
  beforeAll(async () => {
    [product, browser] = await Promise.all([start(), launch?.() ?? sharedBrowser()]);
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ context }) => context.close()));
    opened = [];
  });
  afterAll(async () => {
    if (launch !== undefined) await browser.close();
    await product.stop();
  });
  return {
    get product() {
      return product;
    },
    get browser() {
      return browser;
    },
    async open(options) {
      const watched = await openPage(browser, product.origin, options);
      opened.push(watched);
      return watched;
    },
  };
}
