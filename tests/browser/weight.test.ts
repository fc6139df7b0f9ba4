import { expect, test } from 'vitest';
import { visitInBrowser } from '../support/browser-visit.ts';

const maxRequests = 8;
/** HTML, styles and scripts together, as they are sent: with brotli. */
const maxBytes = 160_000;

const visits = visitInBrowser();

test.each(['/', '/tiktok-downloader', '/ar/download-mp3-tiktok'])(
  'the first visit to %s is light',
  async (path) => {
    const { page } = await visits.open();
    // What is fetched for later pages does not count, and is left out for who saves data.
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
    await page.goto(path);
    // A button that needs scripts: from here on the whole page works.
    await page.locator('.link-paste').waitFor();
    const fetched = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
        (entry) => {
          const { name, encodedBodySize } = entry as PerformanceResourceTiming;
          return { path: new URL(name).pathname, bytes: encodedBodySize };
        },
      ),
    );
    if (process.env.SHOW_WEIGHT === '1') console.table(fetched);
    const weighed = fetched.filter((one) => one.path === path || /\.(?:css|js)$/.test(one.path));
    const total = weighed.reduce((sum, { bytes }) => sum + bytes, 0);
    const needed = fetched.filter((one) => !one.path.startsWith('/favicon'));
    expect(needed.length).toBeLessThanOrEqual(maxRequests);
    expect(total).toBeGreaterThan(20_000);
    expect(total).toBeLessThanOrEqual(maxBytes);
  },
);
