import { consentValue } from '../src/site/consent/consent-cookie.ts';
import { launchBrowser, openPage } from '../tests/support/browser.ts';
import { startJourney } from '../tests/support/journey.ts';
const journey = await startJourney();
const browser = await launchBrowser();
for (const [name, link, lang, width, dark] of [
  ['sound', 'https://www.tiktok.com/music/x-7100000000000000001', '', 360, false],
  ['sound', 'https://www.tiktok.com/music/x-7100000000000000001', '', 1440, true],
  ['creator', '@scout2015', '/ar', 360, true],
  ['creator', '@scout2015', '/ar', 768, false],
] as const) {
  const { page, context } = await openPage(browser, journey.product.origin, { reducedMotion: 'reduce', viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
  await context.addCookies([{ name: 'consent', value: consentValue({ statistics: false, marketing: false }), url: journey.product.origin }]);
  await page.goto(lang + '/');
  await page.locator('#link').fill(link);
  await page.locator('.link-submit').click();
  await page.locator('.list-source').waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('.list').screenshot({ path: `/tmp/shots/list-${name}-${lang.slice(1) || 'en'}-${width}.png` });
  await context.close();
}
await browser.close(); await journey.stop();
