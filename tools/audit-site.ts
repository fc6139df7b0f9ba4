/**
 * Checks every page of the production build in every language: links and their anchors, alternates, HTML, and
 * accessibility with axe in Chromium (one page of each type and language). Then simulated visitors walk through all
 * kinds of pages in Chromium, in four of the languages, on phones and on wide screens. Finally all journeys run with
 * every case of their matrices, and those of `tests/audits/`. Needs `npm run build`. `npm run audit:site`, or `npm run
 * audit:site -- de ja` for the pages of some languages, without the journeys.
 */
import { spawnSync } from 'node:child_process';
import { availableLocales } from '../src/i18n/catalogue.ts';
import { checkAlternates } from '../tests/support/audit/alternates.ts';
import { violations } from '../tests/support/audit/axe.ts';
import { crawl } from '../tests/support/audit/crawl.ts';
import { checkHtml } from '../tests/support/audit/html.ts';
import { onePageOfEachType } from '../tests/support/audit/page-types.ts';
import { auditStarts, isAudited } from '../tests/support/audit/starts.ts';
import { launchBrowser, openPage } from '../tests/support/browser.ts';
import { downloaderPages } from '../tests/support/downloader-pages.ts';
import { startJourney } from '../tests/support/journey.ts';
import { siteFile } from '../tests/support/site-file.ts';
import { pastedPosts, wander, wanderedLocales, wanderedPaths } from '../tests/support/wanderer.ts';

const publicOrigin = 'https://clipferry.example';
const wanted = process.argv.slice(2);
const locales = availableLocales().filter((locale) => wanted.length === 0 || wanted.includes(locale));
if (!locales.includes('en')) locales.unshift('en');

const walks = 16;
const steps = 150;

const journey = await startJourney({ env: { SITE_CONFIG: siteFile({ locales }) } });
const { product } = journey;
const problems: string[] = [];
function report(part: string, found: readonly string[], of: string): void {
  console.log(`${part}: ${found.length} problems in ${of}`);
  problems.push(...found.map((problem) => `${part}: ${problem}`));
}

try {
  const { pages, problems: links } = await crawl(
    product.origin,
    publicOrigin,
    auditStarts(locales, downloaderPages),
    isAudited,
  );
  report('links', links, `${pages.size} pages in ${locales.length} languages`);
  report('alternates', checkAlternates(pages.values()), `${pages.size} pages`);
  const html: string[] = [];
  for (const page of pages.values()) html.push(...(await checkHtml(page)));
  report('html', html, `${pages.size} pages`);

  const chosen = onePageOfEachType(pages.keys(), locales, downloaderPages);
  const browser = await launchBrowser();
  const { page, context } = await openPage(browser, product.origin, { bypassCSP: true });
  const found: string[] = [];
  for (const path of chosen) {
    await page.goto(path);
    found.push(...(await violations(page)).map((violation) => `${path}: ${violation}`));
    // Without scrolling, axe counts everything under the consent bar as covered.
    const decline = page.locator('.consent-answers button').last();
    if (await decline.isVisible()) await decline.click();
  }
  await context.close();
  report('axe', found, `${chosen.length} pages`);

  const lost: string[] = [];
  const grounds = {
    browser,
    origin: product.origin,
    links: pastedPosts.map((name) => journey.platform.link(name)),
    locales: wanderedLocales.filter((locale) => locales.includes(locale)),
  };
  for (let seed = 0; seed < walks; seed += 1) {
    const paths = wanderedPaths(grounds.locales[seed % grounds.locales.length] ?? 'en');
    const width = seed % 8 < 4 ? 390 : 1280;
    try {
      await wander(grounds, { seed, steps, width, paths });
    } catch (error) {
      lost.push(String(error));
    }
  }
  await browser.close();
  report('wandering', lost, `${walks} walks of ${steps} steps`);
} finally {
  await journey.stop();
}
for (const problem of problems) console.error(problem);
const journeys =
  wanted.length === 0 ? spawnSync('vitest', ['run', '--project', 'audits'], { stdio: 'inherit' }).status : 0;
process.exitCode = problems.length === 0 && journeys === 0 ? 0 : 1;
