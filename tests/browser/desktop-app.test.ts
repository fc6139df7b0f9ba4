import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { violations } from '../support/audit/axe.ts';
import { isAudit } from '../support/audit/scope.ts';
import { untilIdle, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { desktopProgram } from '../support/cards.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { nothingOfOurs } from '../support/promotion.ts';
import { siteFile } from '../support/site-file.ts';
import { hasResult } from '../support/tool-visits.ts';

interface SiteFile {
  readonly index_info: object;
  readonly index_modules: readonly { readonly url: string }[];
}

/** The home page offers a program, and the page for sound its partner's, once after a first success. */
function offering(): string {
  const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as SiteFile;
  const partnersProgram = {
    cells: {
      win: { url: 'https://{partner}.example/mlink/download.php?pid=1' },
      mac: { url: 'https://{partner}.example/mlink/download.php?pid=2' },
    },
    after_success: true,
  };
  return siteFile({
    consent: 'off',
    ...nothingOfOurs,
    partners: { 'download-mp3-tiktok': { name: 'Sound Harbour' } },
    index_info: { ...own.index_info, product_dialog_info: desktopProgram },
    index_modules: own.index_modules.map((module) =>
      module.url === '/download-mp3-tiktok' ? { ...module, product_dialog_info: partnersProgram } : module,
    ),
  });
}

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startJourney({ env: { SITE_CONFIG: offering() } });
  return journey.product;
});
afterAll(() => journey.platform.stop());

const agents = {
  win: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36',
  android:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36',
};
const phone = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  userAgent: agents.android,
};

let watched: WatchedPage;
afterEach(() => expect(watched.problems).toEqual([]));

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  watched = await visits.open({ userAgent: agents.win, ...options });
  const { page } = watched;
  await page.goto(path);
  await untilScriptsRun(page);
  return page;
}

const downloads = (page: Page) =>
  page
    .locator('dialog .app-cell a')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));

test('a button opens the dialog: one cell for each system, tagged with the page, and the partner’s page', async () => {
  const page = await open('/de');
  const dialog = page.getByRole('dialog', { name: 'Harbour Studio für Windows und Mac' });
  expect(await dialog.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Programm ansehen' }).click();
  await dialog.waitFor();
  // The dialog says it once the scripts know the system.
  await dialog.getByText('Windows 10, 11 · Dein System').waitFor();
  expect(await downloads(page)).toEqual([
    'https://partner.example/mlink/download.php?pid=11&source=index',
    'https://partner.example/mlink/download.php?pid=12&source=index',
  ]);
  expect(await dialog.getByText('Anzeige', { exact: true }).count()).toBe(1);
  const more = dialog.getByRole('link', { name: 'Mehr über Harbour Studio' });
  expect(await more.getAttribute('href')).toBe('https://partner.example/de/studio');
});

test('stays open when it was opened before its code had arrived', async () => {
  watched = await visits.open({ userAgent: agents.win });
  const { page } = watched;
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/desktop-app-*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/');
  await untilScriptsRun(page);
  await untilIdle(page);
  const dialog = page.locator('#desktop-app');
  const fromServer = await dialog.elementHandle();
  await page.getByRole('button', { name: 'See the app' }).click({ timeout: 5000 });
  await dialog.waitFor();
  release();
  await dialog.getByText('Windows 10, 11 · Your system').waitFor();
  expect(await fromServer?.isVisible()).toBe(true);
});

test('Escape, the button and a click beside the dialog close it, and the focus returns', async () => {
  const page = await open('/');
  const opener = page.getByRole('button', { name: 'See the app' });
  const dialog = page.locator('dialog');
  const isBack = () => opener.evaluate((button) => button === document.activeElement);
  await opener.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(isBack).toBe(true);
  await opener.click();
  await page.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(isBack).toBe(true);
  await opener.click();
  await dialog.waitFor();
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: 'hidden' });
});

test('the visitor’s own system comes first; a page for sound offers its partner’s program', {
  skip: !isAudit,
}, async () => {
  const page = await open('/download-mp3-tiktok', { userAgent: agents.mac });
  await page.getByRole('button', { name: 'See the app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sound Harbour for Windows and Mac' });
  await dialog.locator('.app-cell-own').getByText('Your system').waitFor();
  expect(await downloads(page)).toEqual([
    'https://soundharbour.example/mlink/download.php?pid=2&source=download-mp3-tiktok',
    'https://soundharbour.example/mlink/download.php?pid=1&source=download-mp3-tiktok',
  ]);
});

const views = [
  ['/', {}],
  ['/ar', phone],
  ['/', { ...phone, colorScheme: 'dark' as const }],
] as const;

test.runIf(isAudit).each(views)(
  'axe finds nothing on %s with the dialog open, and nothing moves',
  async (path, options) => {
    watched = await visits.open({
      userAgent: agents.win,
      ...options,
      bypassCSP: true,
      reducedMotion: 'reduce',
    });
    const { page } = watched;
    const shifts = await watchShifts(page);
    await page.goto(path);
    await untilScriptsRun(page);
    await page.locator('[aria-haspopup="dialog"]').click();
    await page.locator('dialog').waitFor();
    expect(await violations(page)).toEqual([]);
    const box = await page.locator('dialog').boundingBox();
    expect(box?.x).toBeGreaterThan(0);
    expect(box?.width).toBeLessThanOrEqual(640);
    expect(await shifts.list()).toEqual([]);
  },
);

test('the dialog has the same height before and after the scripts know the visitor’s system', {
  skip: !isAudit,
}, async () => {
  const heightOf = async (javaScriptEnabled: boolean) => {
    watched = await visits.open({ userAgent: agents.win, reducedMotion: 'reduce', javaScriptEnabled });
    const { page } = watched;
    await page.goto('/ru');
    await page.locator('[aria-haspopup="dialog"]').click();
    const dialog = page.locator('dialog');
    await dialog.waitFor();
    if (javaScriptEnabled) await dialog.locator('.app-cell-own').waitFor();
    return (await dialog.boundingBox())?.height;
  };
  expect(await heightOf(false)).toBe(await heightOf(true));
});

/** Downloads the first file of the page's post. */
async function save(page: Page): Promise<void> {
  const download = page.waitForEvent('download');
  await page.locator('.option-link').first().click();
  expect(await (await download).failure()).toBeNull();
}

test('opens once by itself after a first success, and not on phones', { skip: !isAudit }, async () => {
  const path = `/download-mp3-tiktok?url=${encodeURIComponent(journey.platform.link('ordinary'))}`;
  const page = await open(path);
  await hasResult(page);
  expect(await page.locator('dialog').isVisible()).toBe(false);
  await save(page);
  await page.locator('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await untilScriptsRun(page);
  await hasResult(page);
  await save(page);
  await page.locator('.option-link[data-stage="saved"]').first().waitFor();
  expect(await page.locator('dialog').isVisible()).toBe(false);

  const other = await open(path, phone);
  await hasResult(other);
  await save(other);
  await other.locator('.option-link[data-stage="saved"]').first().waitFor();
  expect(await other.locator('dialog').isVisible()).toBe(false);
});

test('shows links without scripts, and the browser opens the dialog where it can', async () => {
  const { page } = await visits.open({ javaScriptEnabled: false });
  await page.goto('/');
  await page.getByRole('button', { name: 'See the app' }).click();
  await page.locator('dialog').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('dialog').waitFor({ state: 'hidden' });
  const link = page.locator('main noscript').getByRole('link', { name: 'Download for Mac' });
  expect(await link.getAttribute('href')).toContain('pid=12&source=index');
});

test('a page without a program has no trace of it', async () => {
  const html = await (await fetch(`${journey.product.origin}/tiktok-downloader`)).text();
  expect(html).not.toContain('<dialog');
  expect(html).not.toContain('/extras-');
});
