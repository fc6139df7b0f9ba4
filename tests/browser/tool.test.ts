import { readFileSync } from 'node:fs';
import type { Browser, Download, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { openPage, type WatchedPage } from '../support/browser.ts';
import type { Journey } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
let browser: Browser;
let watched: WatchedPage | undefined;

beforeAll(async () => {
  [journey, browser] = await Promise.all([sharedJourney(), sharedBrowser()]);
});
afterEach(async () => {
  await watched?.context.close();
  expect(watched?.problems ?? []).toEqual([]);
  watched = undefined;
});

async function open(path: string, options?: Parameters<typeof openPage>[2]): Promise<Page> {
  watched = await openPage(browser, journey.product.origin, options);
  await watched.page.goto(path);
  return watched.page;
}

/** Enters a text into the box like a paste. */
const paste = (page: Page, text: string) =>
  page.locator('#link').evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

async function savedBy(
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ download: Download; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { download, bytes: readFileSync(await download.path()) };
}

test('resolves a pasted link at once, and saves its videos under their names', async () => {
  const page = await open('/');
  await page.locator('.link-paste').waitFor();
  await paste(page, journey.platform.link('ordinary'));
  await page.locator('.result').getByText('720 × 1280').first().waitFor();
  const video = await savedBy(page, () => page.getByRole('link', { name: /Download video/ }).click());
  expect(video.download.suggestedFilename()).toBe('ferry.captain-7615133378163811813.mp4');
  expect(video.bytes.toString('latin1', 4, 8)).toBe('ftyp');
  await page.getByText('HEVC: plays on newer devices').waitFor();
  const hd = await savedBy(page, () => page.getByRole('link', { name: /Download HD video/ }).click());
  expect(hd.download.suggestedFilename()).toContain('-hd.mp4');
});

test('after the second file a visitor may always start with its format, and a crate chooses another', async () => {
  const page = await open('/');
  const find = (post: string) => paste(page, journey.platform.link(post));
  const crate = (name: string) => page.getByRole('button', { name, exact: true });
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    dispatchEvent(Object.assign(offer, { prompt: async () => Object.assign(globalThis, { isAsked: true }) }));
  });
  await page.locator('.link-paste').waitFor();
  await find('ordinary');
  await page.getByText('1,080 × 1,920').or(page.getByText('1080 × 1920')).waitFor();
  await page.getByText('12.3K').waitFor();
  await savedBy(page, () => page.getByRole('link', { name: /Download video/ }).click());
  await page.locator('[data-stage="saved"]').waitFor();
  expect(await page.getByText('Always start').count()).toBe(0);
  await savedBy(page, () => page.getByRole('link', { name: /Download HD video/ }).click());
  await page.getByText('Always start “Download HD video” automatically?').waitFor();
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.getByRole('button', { name: /^Install / }).click();
  expect(await page.evaluate('isAsked')).toBe(true);
  expect(await page.getByRole('button', { name: /^Install / }).count()).toBe(0);

  await page.getByRole('link', { name: 'Paste another link' }).click();
  expect(await crate('HD').getAttribute('aria-pressed')).toBe('true');
  const started = await savedBy(page, () => find('ordinary'));
  expect(started.download.suggestedFilename()).toContain('-hd.mp4');

  await page.reload();
  await page.getByRole('button', { name: 'Clear link' }).click();
  await crate('MP3').click();
  const sound = await savedBy(page, () => find('ordinary'));
  expect(sound.download.suggestedFilename()).toMatch(/\.mp3$/);
});

const fields: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
  ['/download-mp3-tiktok', { mp3_task: 0 }],
  ['/tiktok-video-downloader', {}],
];

test.runIf(isAudit).each(fields)('%s sends the configured fields with a link', async (path, extra) => {
  const page = await open(path);
  await page.locator('.link-paste').waitFor();
  const url = journey.platform.link('ordinary');
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().includes('/api/resolve')),
    paste(page, url),
  ]);
  expect(asked.postDataJSON()).toEqual({ ...extra, url });
});

test('the mp3 shows its progress and says when it is done', async () => {
  const page = await open('/download-mp3-tiktok');
  await page.locator('.link-paste').waitFor();
  await paste(page, journey.platform.link('long-60s'));
  const option = page.getByRole('link', { name: /Download MP3.*128 kbps/ });
  await option.waitFor();
  expect(await page.getByRole('link', { name: /Download video/ }).count()).toBe(0);
  const { bytes } = await savedBy(page, () => option.click());
  await page.locator('.option-link .option-stage', { hasText: 'Saved' }).waitFor();
  expect(readMp3(bytes).durationS).toBeGreaterThan(59);
});

test('a conversion can be cancelled, and a second one waits for its turn', { skip: !isAudit }, async () => {
  await journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } });
  const page = await open('/');
  await page.locator('.link-paste').waitFor();
  await paste(page, journey.platform.link('ten-minutes'));
  await page.getByRole('link', { name: /Download MP3/ }).click();
  await page.getByRole('progressbar', { name: 'MP3 progress' }).waitFor();
  await page.getByRole('link', { name: /Unconverted sound/ }).click();
  await page.locator('.option-link').getByText('Waiting for your other file').waitFor();
  for (const _ of ['mp3', 'm4a']) await page.getByRole('button', { name: 'Cancel' }).first().click();
  await page.getByText('Download canceled.').nth(1).waitFor();
  await journey.platform.reset();
});

test('everything works without scripts', async () => {
  const page = await open('/tr', { javaScriptEnabled: false });
  await page.locator('#link').fill(journey.platform.link('ordinary'));
  await page.locator('.link-submit').click();
  const { bytes } = await savedBy(page, () => page.locator('.option-link').first().click());
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
  await page.locator('#link').fill('https://www.tiktok.com/@nobody.here');
  const [response] = await Promise.all([page.waitForNavigation(), page.locator('.link-submit').click()]);
  expect(response?.status()).toBe(422);
  expect(await page.locator('#tool-failure').textContent()).toMatch(/profil/i);
});

test('finds a link in the address, as a share sheet sends it', { skip: !isAudit }, async () => {
  const page = await open(`/?text=${encodeURIComponent(`Look! ${journey.platform.link('short-vm')}`)}`);
  await page.getByRole('link', { name: /Download video/ }).waitFor();
});

test('the keyboard is sufficient, and the result is read from its beginning', async () => {
  const page = await open('/');
  await page.locator('.link-paste').waitFor();
  await page.locator('#link').focus();
  await page.keyboard.type(journey.platform.link('ordinary'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.matches('.result-author'));
  // The first stop plays the video, the next one saves it.
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.activeElement?.matches('.preview-play'));
  await page.keyboard.press('Tab');
  const { bytes } = await savedBy(page, () => page.keyboard.press('Enter'));
  expect(bytes.length).toBe(1_442_000);
  const spoken = page.locator('[role="status"]', { hasText: 'Download started.' });
  await spoken.first().waitFor({ state: 'attached' });
});

test('pictures of a slideshow can be chosen, or saved all at once', async () => {
  const page = await open('/');
  await page.locator('.link-paste').waitFor();
  await paste(page, journey.platform.link('photos'));
  await page.getByText('4 photos').waitFor();
  const zip = await savedBy(page, () => page.getByRole('link', { name: 'Download all as ZIP' }).click());
  expect(zip.bytes.toString('latin1', 0, 2)).toBe('PK');
  await page.getByRole('checkbox', { name: 'Photo 1' }).check();
  await page.getByRole('checkbox', { name: 'Photo 3' }).check();
  const saved: string[] = [];
  const both = new Promise<void>((resolve) =>
    page.on('download', (download) => {
      saved.push(download.suggestedFilename());
      if (saved.length === 2) resolve();
    }),
  );
  await page.getByRole('button', { name: 'Download 2 photos' }).click();
  await both;
  expect(saved.map((name) => name.slice(-6))).toEqual(['01.jpg', '03.jpg']);
});

const wrong: readonly (readonly [string, string, RegExp])[] = [
  ['/', 'https://example.com/x', /valid video URL/],
  ['/', 'deleted', /deleted/],
  ['/', 'self-only', /private/],
  ['/tr', 'deleted', /[ğışç]/],
  ['/ar', 'region-fenced', /[\u0600-\u06ff]/],
];

test.each(sample(wrong, ([path]) => path === '/ar'))(
  '%s reports what is wrong with %s',
  async (path, text, message) => {
    const page = await open(path);
    await page.locator('.link-box .button').first().waitFor();
    await page.locator('#link').fill(journey.platform.links[text] ?? text);
    await page.locator('#link').press('Enter');
    expect(await page.locator('#tool-failure').textContent()).toMatch(message);
    expect(await page.locator('#link').getAttribute('aria-invalid')).toBe('true');
    // Whoever sent the link from the box stays there to change it; the button is gone once it was pressed.
    expect(await page.locator('#link:focus').count()).toBe(1);
    await page.locator('.link-submit').click();
    await page.locator('.failure-notice :focus #tool-failure').waitFor();
  },
);

test('reports a lost connection in the words for it', { skip: !isAudit }, async () => {
  const page = await open('/');
  await page.locator('.link-paste').waitFor();
  await page.route('**/api/resolve*', (route) => route.abort('blockedbyclient'));
  await paste(page, journey.platform.link('ordinary'));
  await page
    .getByText('Sorry, the video download failed, check your internet connection and retry')
    .first()
    .waitFor();
  await page.unroute('**/api/resolve*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: /Download video/ }).waitFor();
  const lost = (problem: string) => problem.includes('ERR_BLOCKED_BY_CLIENT');
  const others = watched?.problems.filter((problem) => !lost(problem));
  expect(others).toEqual([]);
  await watched?.context.close();
  watched = undefined;
});

test('the device stores the last five links until they are cleared', { skip: !isAudit }, async () => {
  const page = await open('/');
  await page.locator('.link-paste').waitFor();
  for (const name of ['ordinary', 'only-576', 'only-480', 'landscape', 'no-h265', 'very-short']) {
    await page.locator('#link').fill(journey.platform.link(name));
    await page.locator('.link-submit').click();
    await page.locator('.result').waitFor();
    await page.getByRole('link', { name: 'Paste another link' }).click();
  }
  await page.reload();
  await page.locator('.recent li').first().waitFor();
  expect(await page.locator('.recent li').count()).toBe(5);
  await page.getByRole('button', { name: 'Clear list' }).click();
  await page.reload();
  await page.locator('.link-paste').waitFor();
  expect(await page.locator('.recent li').count()).toBe(0);
});

test('an example, a dropped link and the clear button fill and empty the box', {
  skip: !isAudit,
}, async () => {
  const page = await open('/');
  await page.locator('.link-paste').waitFor();
  await page.locator('.link-box').evaluate((box, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', text);
    box.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, journey.platform.link('ordinary'));
  await page.getByRole('link', { name: /Download video/ }).waitFor();
  await page.getByRole('button', { name: 'Clear link' }).click();
  expect(await page.locator('#link').inputValue()).toBe('');
  await page.locator('.hero-example').click();
  expect(await page.locator('#link').inputValue()).toContain('tiktok.com');
});
