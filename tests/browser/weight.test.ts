import { expect, test } from 'vitest';
import { locales } from '../../src/i18n/languages.ts';
import { sample } from '../support/audit/scope.ts';
import { launchBrowser } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { downloaderPages } from '../support/downloader-pages.ts';
import { maxBytes, maxRequests } from '../support/first-visit-limits.ts';

/** In a browser with a window: the other one fetches more before it calls itself idle. */
const visits = visitInBrowser(undefined, () => launchBrowser({ isWhole: true }));

const pages = locales.flatMap((locale) =>
  ['', ...downloaderPages].map(
    (page) => `/${[locale === 'en' ? '' : locale, page].filter(Boolean).join('/')}`,
  ),
);

/** The heaviest of all stand for the others, which the audit visits. */
const heaviest = ['/hu/tiktok-video-downloader', '/pl/tiktok-video-downloader'];
const visited = sample(pages, (path) => heaviest.includes(path));

test.each(visited)('the first visit to %s is light', async (path) => {
  const { page } = await visits.open();
  // Prefetches do not count, and are omitted for visitors who save data.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  // The first visitor of all gets a page that is packed less tightly, because it is packed while they wait.
  await fetch(visits.product.origin + path);
  const document = (await (await page.goto(path))?.text()) ?? '';
  // A button that needs scripts: from here on the whole page works.
  await page.locator('.link-paste').waitFor();
  const seen = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) => {
        const { name, encodedBodySize } = entry as PerformanceResourceTiming;
        return { path: new URL(name).pathname, bytes: encodedBodySize };
      },
    ),
  );
  // Does not wait for requests that the page makes once it is in use.
  const fetched = seen.filter((one) => one.path === path || document.includes(one.path));
  const weighed = fetched.filter((one) => one.path === path || /\.(?:css|js|woff2)$/.test(one.path));
  const sumOf = (some: typeof fetched) => some.reduce((sum, { bytes }) => sum + bytes, 0);
  const total = sumOf(weighed);
  if (process.env.SHOW_WEIGHT === '1') console.log({ path, total, fetched });
  const needed = fetched.filter((one) => !one.path.startsWith('/favicon'));
  expect(needed.length).toBeLessThanOrEqual(maxRequests);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThanOrEqual(maxBytes);
});
