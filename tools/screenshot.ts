/**
 * `npm run screenshot`: takes the pictures of the home page with a result, against the platform double. They are
 * `docs/screenshot.png` and the two of the web app manifest, which omit the header because it names the site.
 */
import type { BrowserContextOptions } from 'playwright-core';
import sharp from 'sharp';
import { consentValue } from '../src/site/consent/consent-cookie.ts';
import { launchBrowser, openPage } from '../tests/support/browser.ts';
import { startJourney } from '../tests/support/journey.ts';

const journey = await startJourney();
const browser = await launchBrowser();

/** @param fromTop CSS pixels to omit from the page's top */
async function picture(options: BrowserContextOptions, fromTop: number): Promise<Buffer> {
  const { page, context } = await openPage(browser, journey.product.origin, {
    reducedMotion: 'reduce',
    ...options,
  });
  const value = consentValue({ statistics: false, marketing: false });
  await context.addCookies([{ name: 'consent', value, url: journey.product.origin }]);
  await page.goto('/');
  await page.locator('.link-paste').waitFor();
  await page.locator('#link').fill(journey.platform.link('ordinary'));
  await page.locator('.link-submit').click();
  await page.locator('.result-cover img').waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate((top) => scrollTo(0, top), fromTop);
  const shot = await page.screenshot();
  await context.close();
  return shot;
}

await sharp(await picture({ viewport: { width: 1280, height: 800 } }, 0)).toFile('docs/screenshot.png');
const wide = await picture({ viewport: { width: 1280, height: 800 } }, 72);
await sharp(wide).webp({ quality: 80 }).toFile('public/screenshot-wide.webp');
const narrow = await picture({ viewport: { width: 360, height: 640 }, deviceScaleFactor: 2 }, 250);
await sharp(narrow).webp({ quality: 80 }).toFile('public/screenshot-narrow.webp');
await browser.close();
await journey.stop();
