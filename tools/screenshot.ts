/** Makes `docs/screenshot.png` again: the home page with a result, on the platform's double. Needs a built site. */
import { launchBrowser, openPage } from '../tests/support/browser.ts';
import { startJourney } from '../tests/support/journey.ts';

const journey = await startJourney();
const browser = await launchBrowser();
const { page } = await openPage(browser, journey.product.origin, { viewport: { width: 1280, height: 800 } });
await page.goto('/');
await page.locator('.link-paste').waitFor();
await page.locator('#link').fill(journey.platform.link('ordinary'));
await page.locator('.link-submit').click();
await page.locator('.result-cover img').waitFor();
await page.waitForLoadState('networkidle');
await page.evaluate(() => scrollTo(0, 0));
await page.screenshot({ path: 'docs/screenshot.png' });
await browser.close();
await journey.stop();
