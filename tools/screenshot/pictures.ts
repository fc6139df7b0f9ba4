import type { Browser, BrowserContextOptions } from 'playwright-core';
import sharp from 'sharp';
import { openPage } from '../../tests/support/browser.ts';
import type { Journey } from '../../tests/support/journey.ts';
import { refuseCookies } from './states.ts';

/**
 * Takes the pictures of the home page with a result: `docs/screenshot.png` and the two of the web app manifest, which
 * omit the header because it names the site.
 */
export async function takePictures(browser: Browser, journey: Journey): Promise<void> {
  /** @param fromTop CSS pixels to omit from the page's top */
  const picture = async (options: BrowserContextOptions, fromTop: number): Promise<Buffer> => {
    const { page, context } = await openPage(browser, journey.product.origin, options);
    await refuseCookies(context, journey.product.origin);
    await page.goto('/');
    await page.locator('.link-paste').waitFor();
    await page.locator('#link').fill(journey.platform.link('ordinary'));
    await page.locator('.link-submit').click();
    await page.locator('.result-cover img').waitFor();
    await page.waitForLoadState('networkidle');
    // Nothing is pointed at.
    await page.mouse.move(0, 0);
    await page.evaluate((top) => scrollTo(0, top), fromTop);
    const shot = await page.screenshot();
    await context.close();
    return shot;
  };
  const wide = { viewport: { width: 1280, height: 800 } };
  const narrow = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2 };
  await sharp(await picture(wide, 0)).toFile('docs/screenshot.png');
  await sharp(await picture(wide, 72))
    .webp({ quality: 80 })
    .toFile('public/screenshot-wide.webp');
  await sharp(await picture(narrow, 72))
    .webp({ quality: 80 })
    .toFile('public/screenshot-narrow.webp');
}
