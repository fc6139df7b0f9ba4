import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { pastedPosts, wander, wanderedLocales, wanderedPaths } from '../support/wanderer.ts';

// `npm run audit:site` takes longer walks, from more seeds.
const walks = wanderedLocales.map((locale, index) => ({
  seed: index + 1,
  locale,
  width: [390, 1280][index % 2] ?? 0,
}));
const steps = 60;

let journey: Journey;
let browser: Browser;
beforeAll(async () => {
  [journey, browser] = await Promise.all([startJourney(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await journey.stop();
});

test.each(walks)(
  'a wandering visitor finds only whole pages: seed $seed, $locale, $width px',
  { timeout: 120_000 },
  async ({ seed, locale, width }) => {
    const links = pastedPosts.map((name) => journey.platform.link(name));
    const grounds = { browser, origin: journey.product.origin, links, locales: wanderedLocales };
    // Each walk opens its share of the routes; together they open all.
    const paths = wanderedPaths(locale).filter((_, index) => index % walks.length === seed - 1);
    await wander(grounds, { seed, steps, width, paths });
  },
);
