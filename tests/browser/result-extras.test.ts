import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { untilAddress } from '../support/browser.ts';
import { numberedId } from '../support/platform.ts';
import { submitLink, visitTool } from '../support/tool-visits.ts';

const visits = visitTool();

const addressOf = (path: string, name: string) =>
  `${path}?url=${encodeURIComponent(visits.journey.platform.link(name))}`;

/** Opens a page and requests a post. */
async function resultOn(path: string, name: string, options?: Parameters<typeof visits.open>[1]) {
  const page = await visits.open(path, options);
  await submitLink(page, visits.journey.platform.link(name));
  await page.locator('.result').waitFor();
  return page;
}

const savedBy = async (page: Page, act: () => Promise<unknown>) => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
};

test('a video plays in its result with its sound after a press, nothing loads before, and Escape ends it', async () => {
  const page = await resultOn('/', 'ordinary');
  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/files/')) requested.push(request.url());
  });
  const play = page.getByRole('button', { name: 'Watch the video' });
  await play.waitFor();
  expect(requested).toEqual([]);
  await play.press('Enter');
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
  const state = await page.locator('.preview video').evaluate((video: HTMLVideoElement) => ({
    muted: video.muted,
    hasPoster: video.poster.includes('/api/pictures/'),
    isFocused: document.activeElement?.matches('.preview-controls button') === true,
  }));
  expect(state).toEqual({ muted: false, hasPoster: true, isFocused: true });
  expect(requested.every((url) => url.endsWith('/preview'))).toBe(true);
  await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
  const position = page.getByRole('slider', { name: 'Position' });
  await position.press('Home');
  await position.press('PageUp');
  await expect.poll(() => position.getAttribute('aria-valuetext')).toBe('0:01.0');
  await position.press('Space');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Turn the sound off' }).press('Enter');
  await page.getByRole('button', { name: 'Turn the sound on' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.matches('.preview-play'));
});

test('a page for sounds plays the sound, and links to the video with the post', {
  skip: !isAudit,
}, async () => {
  const page = await resultOn('/download-mp3-tiktok', 'only-576');
  await page.getByRole('button', { name: 'Listen to the sound' }).click();
  await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0);
  await page.getByRole('link', { name: 'The video as MP4' }).click();
  await untilAddress(page, '/tiktok-video-downloader', visits.journey.platform.link('only-576'));
  await page.getByRole('link', { name: /Download video/ }).waitFor();
  await page.getByRole('link', { name: 'The sound of this post as MP3' }).click();
  await page.getByRole('link', { name: /Download MP3/ }).waitFor();
});

test('without scripts there are a link to the sound and the details, but no preview', {
  skip: !isAudit,
}, async () => {
  const page = await visits.open(addressOf('/tiktok-video-downloader', 'captions'), {
    javaScriptEnabled: false,
  });
  expect(await page.locator('.preview-play').count()).toBe(0);
  await page.getByText('Text, cover, subtitles').click();
  await page.locator('.details-text', { hasText: 'with captions' }).waitFor();
  const saved = await savedBy(page, () => page.getByRole('link', { name: 'American English, SRT' }).click());
  expect(saved.name).toMatch(/-en-US\.srt$/);
  expect(saved.text).toContain('Cast off & hold on');
  await page.getByRole('link', { name: 'The sound of this post as MP3' }).click();
  await page.getByRole('link', { name: /Download MP3/ }).waitFor();
});

test('the fold contains everything of a post: text to copy, cover, subtitles and every version', async () => {
  const page = await resultOn('/', 'captions', { permissions: ['clipboard-read', 'clipboard-write'] });
  const code = page.waitForRequest(/\/_app\/content-/);
  await page.getByText('Text, cover, subtitles').click();
  await code;
  await page.getByRole('button', { name: 'Copy hashtags' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('#ferry #captain');
  const cover = await savedBy(page, () => page.getByRole('link', { name: 'Cover image' }).click());
  expect(cover.name).toMatch(/-cover\.jpg$/);
  await page.getByRole('link', { name: 'Cover image' }).locator('.details-pressed').waitFor();
  await page
    .locator('[role="status"]', { hasText: 'Download started.' })
    .first()
    .waitFor({ state: 'attached' });
  const small = await page
    .locator('.details-formats a')
    .evaluateAll((links) => links.map((link) => Math.min(link.clientWidth, link.clientHeight)));
  expect(Math.min(...small)).toBeGreaterThanOrEqual(44);
  const rows = await page.locator('.details-versions tbody tr').allInnerTexts();
  expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^1080 × 1920 30 fps newer devices H\.265 [\d.]+ MB$/),
    expect.stringMatching(/^720 × 1280 30 fps every device H\.264 [\d.]+ MB$/),
    expect.stringMatching(/^576 × 1024 30 fps every device H\.264 [\d.]+ MB$/),
  ]);
  const author = page.getByRole('link', { name: /^Posts by/ });
  expect(await author.getAttribute('href')).toMatch(/^https:\/\/www\.tiktok\.com\/@[\w.]+$/);
});

test('a photo that is opened without a network leaves the result, and opens when there is one', async () => {
  const page = await resultOn('/', 'photos');
  const photo = page.locator('.gallery-frame').first();
  await photo.waitFor();
  await page.evaluate('globalThis.sameDocument = true');
  await page.context().setOffline(true);
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/photo-viewer-'));
  await photo.click();
  await lost;
  await page.context().setOffline(false);
  await page.locator('dialog[open]').waitFor();
  expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
});

/** An iPhone, whose share sheet accepts files; it refuses the first press, like iOS when fetching took long. */
const iPhone = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
};

async function withShareSheet(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shared: string[] = [];
    let isFirst = true;
    Object.assign(navigator, {
      canShare: ({ files = [] }: ShareData) => files.length > 0,
      share: async ({ files = [] }: ShareData) => {
        if (isFirst) {
          isFirst = false;
          throw new DOMException('no press', 'NotAllowedError');
        }
        shared.push(...files.map((file) => `${file.name.slice(-7)} ${file.type} ${file.size}`));
      },
    });
    Object.assign(window, { shared });
  });
  await page.reload();
}

const shared = (page: Page) => page.evaluate(() => (window as unknown as { shared: string[] }).shared);

test('on a phone the first button passes the video to the share sheet, with a second press if required, and says that it is saved', async () => {
  // Loaded again below: the post is in the address from the beginning.
  const page = await visits.open(addressOf('/tiktok-video-downloader', 'ordinary'), iPhone);
  const save = page.getByRole('button', { name: 'Save to Photos' });
  await page.locator('.preview-play').waitFor();
  expect(await save.count()).toBe(0);
  await withShareSheet(page);
  await save.click();
  expect(await page.locator('.button-action:visible').count()).toBe(1);
  await page.getByRole('button', { name: 'Share now' }).click();
  await page.getByRole('button', { name: 'Save to Photos Saved' }).waitFor();
  expect(await shared(page)).toEqual(['813.mp4 video/mp4 1442000']);
});

test('on a phone all or the chosen pictures go to the share sheet', async () => {
  const page = await visits.open(addressOf('/', 'photos'), iPhone);
  await withShareSheet(page);
  await page.getByRole('button', { name: 'Save 4 photos to Photos' }).waitFor();
  await page.getByRole('checkbox', { name: 'Photo 2' }).check();
  await page.getByRole('button', { name: 'Save 1 photo to Photos' }).click();
  await page.getByRole('button', { name: 'Share now' }).click();
  await page.getByRole('button', { name: /Saved/ }).waitFor();
  expect(await shared(page)).toEqual([expect.stringMatching(/-02\.jpg image\/jpeg \d+/)]);
});

test('fetching a file to share shows its progress, and can be cancelled', { skip: !isAudit }, async () => {
  await visits.journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } });
  const page = await visits.open(addressOf('/tiktok-video-downloader', 'ten-minutes'), iPhone);
  await withShareSheet(page);
  const save = page.getByRole('button', { name: 'Save to Photos' });
  await save.click();
  await page.getByRole('progressbar', { name: 'Loading the file…' }).waitFor();
  await page.waitForFunction(() => Number(document.querySelector('progress')?.value) > 0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('[data-stage]').waitFor({ state: 'detached' });
  await save.waitFor();
  await visits.journey.platform.reset();
});

const shutPages = { desktop: 'challenge', phone: 'challenge', honest: 'challenge' } as const;
const openPages = { desktop: 'data', phone: 'data', honest: 'data' } as const;

/** Posts that no other file has looked up. */
let lastThin = 730_000;
const thinLink = () => `https://www.tiktok.com/@ferry.captain/video/${numberedId(++lastThin)}`;

test('a video that the platform shows without HD says so, and HD comes when it is looked for again', async () => {
  const { platform } = visits.journey;
  const page = await visits.open('/');
  await platform.configure({ gate: shutPages });
  await submitLink(page, thinLink());
  const again = page.getByRole('button', { name: 'Look again for HD' });
  const same = page.locator('.notice').getByText('Still only the standard version');
  const video = page.getByRole('link', { name: /Download video/ });
  await again.click();
  await same.waitFor();
  await video.waitFor();
  await page.context().setOffline(true);
  await again.click();
  await page.locator('.notice button[aria-busy]').waitFor({ state: 'detached' });
  await video.waitFor();
  await page.context().setOffline(false);

  await submitLink(page, thinLink());
  await page.getByText('TikTok is only showing its standard version').waitFor();
  await platform.configure({ gate: openPages });
  await again.click();
  await page.getByRole('link', { name: /Download HD video/ }).waitFor();
  expect(await again.count()).toBe(0);
  await page.waitForFunction(() => document.activeElement?.matches('.result-author'));
});

test('HD is looked for again without scripts', async () => {
  const { platform } = visits.journey;
  await platform.configure({ gate: shutPages });
  const page = await visits.open('/ar', { javaScriptEnabled: false });
  await page.locator('#link').fill(thinLink());
  await page.locator('.link-submit').click();
  const again = page.locator('button[name="again"]');
  await again.waitFor();
  await platform.configure({ gate: openPages });
  await again.click();
  await page.locator('.option-link', { hasText: 'HD' }).waitFor();
  expect(await again.count()).toBe(0);
});
