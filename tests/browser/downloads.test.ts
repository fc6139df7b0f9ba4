import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTickets } from '../../src/downloader/tickets/tickets.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { openPage, untilAddress, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { hasFfmpeg } from '../support/probe.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { until } from '../support/until.ts';

const secret = 'the same on all instances, and long enough';
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

let journey: Journey;
let browser: Browser;
let watched: WatchedPage | undefined;

beforeAll(async () => {
  [journey, browser] = await Promise.all([startJourney({ env: { SECRET_KEY: secret } }), sharedBrowser()]);
});
afterEach(async () => {
  await watched?.context.close();
  await journey.platform.reset();
  expect(watched?.problems ?? []).toEqual([]);
  watched = undefined;
});
afterAll(async () => {
  await journey.stop();
});

/** A page that shows a post, and the names of the downloads that its browser lists. */
async function show(
  post: string,
  path = '/',
  options?: Parameters<typeof openPage>[2],
): Promise<{ page: Page; listed: string[] }> {
  watched = await openPage(browser, journey.product.origin, options);
  const { page } = watched;
  const listed: string[] = [];
  page.on('download', (download) => listed.push(download.suggestedFilename()));
  await page.goto(path);
  await untilScriptsRun(page);
  await find(page, post);
  return { page, listed };
}

async function find(page: Page, post: string): Promise<void> {
  await page.locator('#link').fill(journey.platform.link(post));
  await page.locator('.link-submit').click();
  await page.locator('.result-author').waitFor();
}

/** The frames that a browser decodes from a video's last second. */
async function playTheEnd(src: string) {
  const page = await browser.newPage();
  // Our own pages forbid playing media.
  await page.route('**/player', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<video muted>' }),
  );
  await page.goto(`${journey.product.origin}/player`);
  const played = await page.evaluate(async (address) => {
    const video = document.querySelector('video');
    if (video === null) throw new Error('no player');
    const next = (name: string) =>
      new Promise((resolve, reject) => {
        video.addEventListener(name, resolve, { once: true });
        video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
      });
    video.src = address;
    await next('loadedmetadata');
    video.currentTime = video.duration - 1;
    await next('seeked');
    const ended = next('ended');
    await video.play();
    await ended;
    const { webkitDecodedFrameCount: pictures, webkitAudioDecodedByteCount: sound } =
      video as unknown as Record<string, number>;
    return { durationS: video.duration, height: video.videoHeight, pictures, sound };
  }, src);
  await page.close();
  return played;
}

const announced = (page: Page) => page.locator('[role="status"]').allTextContents();
const started = 'Download started.';

test('a slideshow says how many parts it has, and a moving slide has two files', async () => {
  const { page, listed } = await show('photos-unlisted');
  await page.getByText('3 of 4 photos', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Photo 4', exact: true }).waitFor();
  await find(page, 'photos-moving');
  await page.getByText('3 photos', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Photo 2', exact: true }).click();
  const enlarged = page.getByRole('dialog');
  await enlarged.locator('.viewer-files a').nth(1).waitFor();
  await enlarged.getByRole('link', { name: 'Download photo 2 as video' }).click();
  await until('the video is listed', () => listed.some((name) => name.endsWith('-02.mp4')));
});

test.runIf(isAudit).each(['song-for-video', 'song-for-video-unnamed'])(
  '%s offers the sound, and says why there is no video',
  async (post) => {
    const { page } = await show(post);
    await page.locator('.result .notice', { hasText: 'This is a photo post' }).waitFor();
    await page.getByRole('link', { name: /Download MP3/ }).waitFor();
    expect(await page.getByRole('link', { name: /Download (HD )?video|M4A/ }).count()).toBe(0);
  },
);

/** One file of each kind; the others differ only in their address. */
const pressed = [
  ['ordinary', /Download video/, '7615133378163811813.mp4'],
  ['ordinary', /Download HD video/, '7615133378163811813-hd.mp4'],
  ['photos', 'Download all as ZIP', '.zip'],
] as const;

describe('a press', () => {
  test.each(sample(pressed, ([, , file]) => file === '7615133378163811813.mp4'))(
    'on %s, %s, is answered in it, and a second press gives no second file',
    async (post, name, file) => {
      const { page, listed } = await show(post);
      const button = page.getByRole('link', { name });
      await button.dblclick();
      await until('the file is listed', () => listed.length > 0);
      // It counts as a success only once the server has sent all of it.
      await page.locator('.option-link[data-stage="saved"]', { hasText: 'Saved' }).waitFor();
      expect((await announced(page)).join()).toContain('The download succeeded');
      expect(listed).toEqual([expect.stringContaining(file)]);
      const help = page.locator('.result-after').getByRole('link', { name: 'Can’t find it?' });
      expect(await help.getAttribute('href')).toBe('/save-tiktok-video-computer');
    },
  );

  test('may be repeated after three seconds, for a second file', { skip: !isAudit }, async () => {
    const { page, listed } = await show('ordinary');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const button = page.getByRole('link', { name: /Download video/ });
    await button.click();
    await page.locator('.option-link[data-stage]').waitFor();
    await page.clock.runFor(2900);
    await button.click();
    expect(listed).toHaveLength(1);
    await page.clock.runFor(200);
    await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(listed).toHaveLength(2);
  });

  test("links to the help for the visitor's device, in the page’s language", { skip: !isAudit }, async () => {
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';
    const { page } = await show('ordinary', '/de', { ...phone, userAgent });
    await page.locator('.option-link').first().click();
    await page.locator('.result-after a').click();
    await untilAddress(page, '/de/save-tiktok-video-iphone');
  });

  test('during a conversion gives no second file either', { skip: !isAudit }, async () => {
    await journey.platform.configure({ posts: { 'long-60s': { latencyMs: 300 } } });
    const { page, listed } = await show('long-60s', '/download-mp3-tiktok');
    const button = page.getByRole('link', { name: /Download MP3/ });
    await button.click();
    await page.locator('.option-link .progress').waitFor();
    await button.click();
    await page.locator('.option-link[data-stage="saved"]').waitFor();
    await button.click({ trial: true });
    expect(listed).toEqual([`ferry.captain-${/\d+$/.exec(journey.platform.link('long-60s'))?.[0]}.mp3`]);
    expect(await page.getByRole('link', { name: 'Can’t find it?' }).count()).toBe(1);
  });
});

const refusals = [
  ['all-hosts-refuse', /Download video/, /refused to send the file/],
  ['media-gone', /Download video/, /refused to send the file/],
  ['html-as-mp4', /Download video/, /sent us a broken file/],
  ['sound-refused', /Download MP3/, /refused to send the file/],
  ['pictures-refused', 'Download all as ZIP', /refused to send the file/],
] as const;

describe('a file that the platform refuses', () => {
  test.each(sample(refusals, ([post]) => post === 'html-as-mp4'))(
    '%s, %s: the page reports it, and the browser gets nothing to save',
    async (post, name, message) => {
      const { page, listed } = await show(post);
      await page.getByRole('link', { name }).click();
      const notice = page.locator('.result .notice-error', { hasText: message });
      await notice.waitFor();
      expect((await announced(page)).join()).toMatch(message);
      expect((await announced(page)).join()).not.toContain(started);
      await notice.getByRole('button', { name: 'Try again' }).click();
      await notice.waitFor();
      expect(listed).toEqual([]);
    },
  );

  test('is a page in the visitor’s language without scripts', async () => {
    watched = await openPage(browser, journey.product.origin, { javaScriptEnabled: false });
    const { page } = watched;
    await page.goto(`/de?url=${encodeURIComponent(journey.platform.link('media-gone'))}`);
    const [response] = await Promise.all([
      page.waitForNavigation(),
      page.locator('.option-link').first().click(),
    ]);
    expect(response?.status()).toBe(502);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('#tool-failure').textContent()).toContain('TikTok');
  });

  test('does not prevent the other chosen pictures', { skip: !isAudit }, async () => {
    const { page, listed } = await show('photos');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.route(/jpg-1\..*\/ready/, (route) =>
      route.fulfill({
        status: 502,
        json: { code: 502, error: { key: 'media_unavailable', message: 'No.' } },
      }),
    );
    await page.getByRole('button', { name: 'Download 4 photos' }).click();
    await until('three pictures are listed', () => listed.length === 3);
    await page.locator('.option .notice-error').getByText('No.').waitFor();
    expect(
      await page.locator('.gallery-state:is([data-phase="started"], [data-phase="saved"])').count(),
    ).toBe(3);
    expect(await page.locator('.gallery-state[data-phase="failed"]').count()).toBe(1);
  });
});

const lacking: readonly (readonly [string, string, RegExp, RegExp])[] = [
  ['zip', 'picture-refused', /Download all as ZIP/, /1 photo isn’t in this file/],
  ['video', 'photos-heic', /Download all as one video/, /1 photo isn’t in this file/],
  ['silent video', 'sound-refused', /Download all as one video/, /so this video is silent/],
];
// The silent video stands for both videos: making one takes seconds.
const tried = sample(lacking, ([what]) => what !== 'video').filter(
  ([what]) => hasFfmpeg || !what.includes('video'),
);
test.each(tried)(
  'a %s that is not as it should be says so once it is there',
  async (_, post, button, sentence) => {
    const { page, listed } = await show(post);
    await page.getByRole('link', { name: button }).click();
    await page.locator('.option .notice').getByText(sentence).waitFor();
    expect(listed).toHaveLength(1);
  },
);

test('a press without a network says so, and works when the network is back', {
  skip: !isAudit,
}, async () => {
  const { page, listed } = await show('ordinary');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: /Download video/ }).click();
  await page
    .locator('.option .notice-error')
    .getByText(/check your internet connection/)
    .waitFor();
  expect(listed).toEqual([]);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.option-link[data-stage="saved"]').waitFor();
  await until('the file is listed', () => listed.length === 1);
  watched = undefined;
  await page.context().close();
});

test('links that expired while the page was open are renewed without a message', {
  skip: !isAudit,
}, async () => {
  const past = createTickets({ secret: Buffer.from(secret), now: () => Date.now() - 7 * 3_600_000 });
  const id = /\d+$/.exec(journey.platform.link('ordinary'))?.[0] ?? '';
  const old = past.sign({ kind: 'video', post: { platform: 'tiktok', id }, variant: 'default' });
  watched = await openPage(browser, journey.product.origin);
  const { page } = watched;
  await page.route(
    '**/api/resolve*',
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll(/\/api\/files\/[^"]*\.mp4\.[^"]*/g, `/api/files/${old}`),
      });
    },
    { times: 1 },
  );
  await page.goto('/');
  await untilScriptsRun(page);
  await find(page, 'ordinary');
  const button = page.getByRole('link', { name: /Download video/ });
  expect(await button.getAttribute('href')).toContain(old);
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toContain('.mp4');
  await page.locator('.option-link[data-stage="saved"]').waitFor();
});

describe('a post without what the page is for', () => {
  const elsewhere = [
    [
      'silent',
      '/download-mp3-tiktok',
      'This post has no sound.',
      'Download the video instead',
      /Download video/,
    ],
    [
      'photos-no-sound',
      '/download-mp3-tiktok',
      'This post has no sound.',
      'Download the photos instead',
      /as ZIP/,
    ],
    [
      'song-for-video',
      '/tiktok-video-downloader',
      'This is a photo post',
      'Get the sound as MP3',
      /Download MP3/,
    ],
  ] as const;
  test.each(sample(elsewhere, ([post]) => post === 'silent'))(
    '%s at %s links to the page that has the rest, with the link',
    async (post, path, text, link, button) => {
      const { page } = await show(post, path);
      await page.locator('.result .notice', { hasText: text }).waitFor();
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('link', { name: button }).waitFor();
      expect(new URL(page.url()).pathname).not.toBe(path);
      expect(await page.locator('#link').inputValue()).toContain(
        journey.platform.link(post).split('/').at(-1) ?? '?',
      );
    },
  );

  test('says so without scripts too', { skip: !isAudit }, async () => {
    watched = await openPage(browser, journey.product.origin, { javaScriptEnabled: false });
    const { page } = watched;
    await page.goto(`/download-mp3-tiktok?url=${encodeURIComponent(journey.platform.link('silent'))}`);
    await page.getByText('This post has no sound.').waitFor();
    await page.getByRole('link', { name: 'Download the video instead' }).click();
    await page.getByRole('link', { name: /Download video/ }).waitFor();
  });
});

test.skipIf(!hasFfmpeg)(
  'a slideshow is available as one video that plays, with its progress until then',
  async () => {
    const { page } = await show('photos-no-sound', '/tiktok-video-downloader');
    const button = page.getByRole('link', { name: /Download all as one video/ });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('progressbar', { name: 'MP4 progress' }).waitFor(),
      button.click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/-\d{19}\.mp4$/);
    const played = await playTheEnd((await button.getAttribute('href')) ?? '');
    expect(played).toMatchObject({ durationS: 5, height: 1350 });
    expect(played.pictures).toBeGreaterThan(1);
    const sounds = await show('photos', '/download-mp3-tiktok');
    await sounds.page.getByRole('link', { name: /Download MP3/ }).waitFor();
    expect(await sounds.page.getByRole('link', { name: /as one video/ }).count()).toBe(0);
  },
);

test('a conversion stays in sight and can be cancelled while another post is shown', {
  skip: !isAudit,
}, async () => {
  await journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } });
  const { page } = await show('ten-minutes');
  await page.getByRole('link', { name: /Download MP3/ }).click();
  await page.locator('.option-link .progress').waitFor();
  await find(page, 'only-576');
  const other = page.getByRole('list', { name: 'Your other conversions' });
  await other.getByRole('progressbar', { name: 'MP3 progress' }).waitFor();
  await page.getByRole('link', { name: /Download MP3/ }).click();
  await page.locator('.option-link').getByText('Waiting for your other file').waitFor();
  // A waiting conversion would be lost: the browser asks whether to leave.
  const asking = page.waitForEvent('dialog');
  // It continues when the question is answered.
  const reloading = page.evaluate('location.reload()');
  const question = await asking;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await reloading;
  await page.getByRole('link', { name: 'TikTok to MP3' }).first().click();
  await untilAddress(page, '/download-mp3-tiktok');
  await page.locator('.option-link .progress').waitFor();
  await other.getByRole('button', { name: 'Cancel' }).click();
  await other.getByText('Download canceled.').waitFor();
  await page.locator('.option-link[data-stage="saved"]').waitFor();
  await other.getByRole('button', { name: 'Dismiss' }).click();
  expect(await other.count()).toBe(0);
});

test('35 pictures: the files come before them, six are shown, and one is enlarged, turned and saved', async () => {
  const { page, listed } = await show('photos-35', '/', phone);
  await page.locator('.gallery-more').waitFor();
  const stops = await page.evaluate(() => {
    const all = [...document.querySelectorAll('.result :is(a, button, input, summary)')];
    const seen = all.filter((one) => one.checkVisibility());
    const at = (selector: string) => seen.findIndex((one) => one.matches(selector));
    const last = seen.findLastIndex((one) => one.matches('.gallery-picture *'));
    return { zip: at('.option-photos'), gallery: last - at('.gallery-picture *') + 1 };
  });
  expect(stops.zip).toBeLessThan(4);
  expect(stops.gallery).toBe(12);
  await page.getByRole('link', { name: 'Photo 2', exact: true }).click();
  const enlarged = page.getByRole('dialog');
  await enlarged.getByRole('img', { name: 'Photo 2' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await enlarged.getByRole('img', { name: 'Photo 3' }).waitFor();
  await enlarged.getByRole('link', { name: 'Download photo 3' }).click();
  await until('the picture is listed', () => listed.some((name) => name.endsWith('-03.jpg')));
  await page.locator('.gallery-state[data-phase="saved"]').waitFor();
  await page.getByRole('checkbox', { name: 'Photo 1', exact: true }).check();
  await page.getByRole('button', { name: 'Download 1 photo' }).waitFor();
  await page.getByRole('button', { name: 'Show all 35' }).click();
  await page.getByRole('link', { name: 'Photo 35' }).waitFor();
});

const joined = [
  ['dash-hd-h264', 'mp4-hd'],
  ['dash-only-fragmented', 'mp4'],
] as const;

test.runIf(isAudit).each(joined)(
  '%s, whose picture and sound are two files, plays and can be played from any position',
  async (post, option) => {
    const played = await playTheEnd(await journey.href(post, option));
    expect(played.durationS).toBeCloseTo(6, 1);
    expect(played.height).toBeGreaterThanOrEqual(1280);
    expect(played.pictures).toBeGreaterThan(20);
    expect(played.sound).toBeGreaterThan(10_000);
  },
);
