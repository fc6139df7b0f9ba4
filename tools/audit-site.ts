/**
 * Looks at every page of the production build in every language that has texts: links and their anchors, alternates,
 * HTML, and accessibility with axe in Chromium (one page of each type and language). Needs `npm run build`.
 *
 * `npm run audit:site`, or `npm run audit:site -- de ja` for some languages.
 */
import { availableLocales } from '../src/i18n/catalogue.ts';
import { checkAlternates } from '../tests/support/audit/alternates.ts';
import { violations } from '../tests/support/audit/axe.ts';
import { crawl } from '../tests/support/audit/crawl.ts';
import { checkHtml } from '../tests/support/audit/html.ts';
import { onePageOfEachType } from '../tests/support/audit/page-types.ts';
import { auditStarts, isAudited } from '../tests/support/audit/starts.ts';
import { launchBrowser, openPage } from '../tests/support/browser.ts';
import { downloaderPages } from '../tests/support/downloader-pages.ts';
import { startProduct } from '../tests/support/product.ts';
import { siteFile } from '../tests/support/site-file.ts';

const publicOrigin = 'https://clipferry.example';
const wanted = process.argv.slice(2);
const locales = availableLocales().filter((locale) => wanted.length === 0 || wanted.includes(locale));
if (!locales.includes('en')) locales.unshift('en');

const product = await startProduct({ env: { SITE_CONFIG: siteFile({ locales }) } });
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
  }
  await context.close();
  await browser.close();
  report('axe', found, `${chosen.length} pages`);
} finally {
  await product.stop();
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
