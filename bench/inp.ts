/**
 * How long visitors wait after they have pressed something (Interaction to Next Paint, by the Event Timing API), with
 * statistics running after agreement and without, in turns, on a processor that is slowed down four times.
 * `node bench/inp.ts [visits]`; 12 of each kind when nothing is said. Durations come in steps of 8 ms.
 */
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage, untilScriptsRun } from '../tests/support/browser.ts';
import { startProduct } from '../tests/support/product.ts';
import { siteFile } from '../tests/support/site-file.ts';
import { until } from '../tests/support/until.ts';
import { median, print } from './support/report.ts';

const visits = Number(process.argv[2] ?? 12);
const slowdown = 4;
/** The site's own server leaves out browsers that say they have no head. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36';

/** An interaction: from the input to the next paint, and what of it was spent in handlers; milliseconds. */
interface Interaction {
  readonly durationMs: number;
  readonly handlersMs: number;
}

interface Timing extends PerformanceEntry {
  readonly interactionId?: number;
  readonly processingStart: number;
  readonly processingEnd: number;
}

/** Notes every interaction from the start of the document; the longest of its events counts. */
function watchInteractions(): void {
  const seen = new Map<number, Interaction>();
  Object.assign(globalThis, { interactions: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Timing[]) {
      const { interactionId = 0, duration: durationMs, processingStart, processingEnd } = entry;
      const known = seen.get(interactionId);
      if (interactionId === 0 || (known !== undefined && known.durationMs >= durationMs)) continue;
      seen.set(interactionId, { durationMs, handlersMs: processingEnd - processingStart });
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}

/** What a visitor does on a tool page, and with links that are counted. */
async function use(page: Page): Promise<void> {
  await page.locator('#link').click();
  await page.locator('#link').pressSequentially('no link of any post', { delay: 30 });
  for (const details of await page.locator('main details > summary').all()) await details.click();
  for (let press = 0; press < 4; press += 1) await page.locator('header .theme-choice').first().click();
  const languages = page.locator('.header-languages > summary');
  for (let press = 0; press < 4; press += 1) await languages.click();
  await page.evaluate(() => {
    for (let at = 0; at < 6; at += 1) {
      const link = document.createElement('a');
      link.href = '/checkout.htm';
      link.className = 'counted';
      link.textContent = `Buy ${at} `;
      link.addEventListener('click', (event) => event.preventDefault());
      document.querySelector('main')?.prepend(link);
    }
  });
  for (const link of await page.locator('.counted').all()) await link.click();
  // What is waited for to be painted is told afterwards.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
}

async function visit(browser: Browser, origin: string, hasAgreed: boolean): Promise<Interaction[]> {
  const { page, context } = await openPage(browser, origin, { userAgent });
  await context.addCookies([{ name: 'consent', value: hasAgreed ? '1.10' : '1.00', url: origin }]);
  await page.addInitScript(watchInteractions);
  await page.goto('/tiktok-downloader');
  await untilScriptsRun(page);
  if (hasAgreed)
    await until('statistics run', async () =>
      (await context.cookies()).some(({ name }) => name === 'token_id'),
    );
  await page.waitForLoadState('networkidle');
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await use(page);
  const found = await page.evaluate(() => [
    ...(globalThis as unknown as { interactions: Map<number, Interaction> }).interactions.values(),
  ]);
  await context.close();
  return found;
}

/** As web-vitals has it: the longest interaction, one of each fifty left out. */
function inpOf(found: readonly Interaction[]): number {
  const longestFirst = found.map(({ durationMs }) => durationMs).sort((a, b) => b - a);
  return longestFirst[Math.floor(longestFirst.length / 50)] ?? 0;
}

const product = await startProduct({
  env: { SITE_CONFIG: siteFile({ statistics: true }), REPORTS_PER_MINUTE: '100000' },
});
const browser = await launchBrowser();
try {
  const without: Interaction[][] = [];
  const agreed: Interaction[][] = [];
  // The first visits of a browser are slower.
  await visit(browser, product.origin, true);
  for (let at = 0; at < visits; at += 1) {
    without.push(await visit(browser, product.origin, false));
    agreed.push(await visit(browser, product.origin, true));
  }
  const of = (all: readonly Interaction[][], read: (one: Interaction) => number) =>
    median(all.flat().map(read));
  console.log(
    `${agreed.flat().length} interactions of 16 ms and more with statistics, ${without.flat().length} without`,
  );
  print({
    what: 'INP of a visit with statistics',
    value: median(agreed.map(inpOf)),
    unit: 'ms',
    baseline: median(without.map(inpOf)),
    atMost: 1.1,
  });
  print({
    what: 'an interaction in the middle',
    value: of(agreed, ({ durationMs }) => durationMs),
    unit: 'ms',
    baseline: of(without, ({ durationMs }) => durationMs),
    atMost: 1.1,
  });
  print({
    what: 'of it in handlers',
    value: of(agreed, ({ handlersMs }) => handlersMs),
    unit: 'ms',
    baseline: of(without, ({ handlersMs }) => handlersMs),
  });
} finally {
  await browser.close();
  await product.stop();
}
