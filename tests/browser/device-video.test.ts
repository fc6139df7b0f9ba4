import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openPage, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import type { Journey } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { hasFfmpeg, plainPicture, probeVideo } from '../support/probe.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { until } from '../support/until.ts';

let journey: Journey;
let browser: Browser;
let watched: WatchedPage | undefined;
/** Whether the console may report a lost connection. */
let isBroken = false;

beforeAll(async () => {
  [journey, browser] = await Promise.all([sharedJourney(), sharedBrowser()]);
});
afterEach(async () => {
  await watched?.context.close();
  if (!isBroken) expect(watched?.problems ?? []).toEqual([]);
  isBroken = false;
  watched = undefined;
});

/** Notes when the browser has said what it can. */
const countQuestions = () => {
  const questions = { asked: 0, open: 0 };
  Object.assign(globalThis, { questions });
  for (const name of ['VideoEncoder', 'VideoDecoder'] as const) {
    const codec = globalThis[name];
    if (codec === undefined) continue;
    const ask = codec.isConfigSupported.bind(codec) as (config: unknown) => Promise<unknown>;
    Object.assign(codec, {
      isConfigSupported: (config: unknown) => {
        questions.asked += 1;
        questions.open += 1;
        // Another question may follow from an answer.
        return ask(config).finally(() => setTimeout(() => (questions.open -= 1)));
      },
    });
  }
};

/** A post's result, once it is known what the browser can. */
async function show(post: string, prepare: (page: Page) => Promise<unknown> = async () => {}) {
  watched = await openPage(browser, journey.product.origin);
  const { page } = watched;
  await prepare(page);
  await page.addInitScript(countQuestions);
  await page.goto(`/?url=${encodeURIComponent(journey.platform.link(post))}`);
  await untilScriptsRun(page);
  await page.locator('.result-author').waitFor();
  await page.waitForFunction(() => {
    const { asked, open } = (globalThis as unknown as { questions: { asked: number; open: number } })
      .questions;
    return !('VideoEncoder' in globalThis) || (asked >= 2 && open === 0);
  });
  // The site's settings may be the last to come.
  await page.waitForFunction(() => document.querySelector('.device-media-kept') === null);
  return page;
}

/** A browser that encodes nothing, whatever it has. */
const encodingNothing = (page: Page) =>
  page.addInitScript(() => {
    VideoEncoder.isConfigSupported = async (config) => ({ supported: false, config });
  });

const openStudio = (page: Page) => page.getByText('Fit a size limit or add subtitles').click();
const everywhere = (page: Page) => page.getByRole('link', { name: /HD that plays everywhere/ });

/** What the browser saves after a press. */
async function saved(page: Page, press: () => Promise<unknown>) {
  // A busy machine takes minutes for a second of video.
  const listed = page.waitForEvent('download', { timeout: 0 });
  await press();
  const download = await listed;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

declare const awake: number;

/** Counts what keeps the screen on: this browser has no screen. */
const keepingAwake = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(globalThis, { awake: 0 });
    const request = async () => {
      Object.assign(globalThis, { awake: awake + 1 });
      return { release: async () => Object.assign(globalThis, { awake: awake - 1 }) };
    };
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
  });

const pressMake = (page: Page) => page.getByRole('button', { name: 'Make the video' }).click();

/** Names of what is left of a video in the browser. */
const leftOvers = (page: Page) =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const names: string[] = [];
    for await (const [, folder] of root.entries())
      for await (const name of (folder as FileSystemDirectoryHandle).keys()) names.push(name);
    return names;
  });

/** This Chromium decodes no H.265: it says that it does, and gets AV1, which it decodes, in its place. */
async function decodingHevc(page: Page, body?: Buffer) {
  await page.addInitScript(() => {
    const ask = VideoDecoder.isConfigSupported.bind(VideoDecoder);
    VideoDecoder.isConfigSupported = async (config) =>
      config.codec.startsWith('hvc1') ? { supported: true, config } : ask(config);
    HTMLMediaElement.prototype.canPlayType = () => 'probably';
  });
  const file = body ?? (await readFile('tests/support/media/av1.mp4'));
  const hd = (await journey.href('ordinary', 'mp4-hd')).split('?', 1)[0] ?? '';
  const id = hd.split('/').at(-1);
  await page.route(
    ({ pathname }) => pathname.endsWith(`/${id}`),
    (route) => route.fulfill({ body: file, contentType: 'video/mp4' }),
  );
}

test('makes a video that fits, of a part, with captions in the picture, and says before what is lost', async () => {
  const page = await show('captions', keepingAwake);
  await openStudio(page);
  await page.getByLabel('Another size').check();
  await page.getByLabel('Megabytes').fill('0.5');
  expect(await page.getByRole('button', { name: 'Make the video' }).isDisabled()).toBe(true);
  await page.getByLabel('Megabytes').fill('1');
  await page.getByRole('combobox', { name: 'Subtitles' }).selectOption('burned');
  await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de-DE');
  await page.getByRole('slider', { name: 'From' }).focus();
  await page.keyboard.press('PageUp');
  await page.getByText('The resolution drops from 720 to 540 pixels').waitFor();
  const listed: string[] = [];
  page.on('download', (download) => listed.push(download.suggestedFilename()));
  const { name, bytes } = await saved(page, async () => {
    // A second press, before the first can have ended on a slow machine.
    await page.getByRole('button', { name: 'Make the video' }).dblclick();
    await page.locator('.studio [role="progressbar"], .studio progress').first().waitFor();
    await expect.poll(() => page.workers().length).toBe(1);
    // The tab goes behind another one, and comes back.
    for (const state of ['hidden', 'visible'])
      await page.evaluate((visibilityState) => {
        Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
        // Browsers end the lock of a hidden page.
        if (visibilityState === 'hidden') Object.assign(globalThis, { awake: 0 });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
  });
  expect(listed).toEqual([name]);
  await until('the screen may sleep', () => page.evaluate(() => awake === 0));
  // The browser's downloads may still read it. A page that is closed leaves it to the next one.
  expect(await leftOvers(page)).toHaveLength(1);
  await page.reload();
  await until('it is removed', async () => (await leftOvers(page)).length === 0);
  expect(name).toMatch(/-1-[\d.]+-1mb-captioned-de-DE\.mp4$/);
  expect(bytes.length).toBeLessThanOrEqual(1_000_000);
  if (!hasFfmpeg) return;
  const { streams, boxes, durationS, tags } = probeVideo(bytes);
  expect(tags).toMatchObject({
    artist: 'The Ferry Captain',
    comment: expect.stringContaining('/video/') as string,
  });
  expect(streams).toMatchObject([
    { codec_name: 'h264', width: 540, height: 960, ...plainPicture },
    { codec_name: 'aac' },
  ]);
  const [seen, heard] = streams.map(({ duration }) => Number(duration));
  expect(Math.abs((seen ?? 0) - (heard ?? 0))).toBeLessThan(0.02);
  expect(Math.abs(durationS - 6)).toBeLessThan(0.2);
  expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
});

test('without an encoder, captions still become a track, and nothing else is offered', async () => {
  const page = await show('captions', (one) => one.addInitScript('delete globalThis.VideoEncoder'));
  expect(await everywhere(page).count()).toBe(0);
  await openStudio(page);
  expect(await page.getByRole('group', { name: 'Size' }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('en-US');
  const { name, bytes } = await saved(page, () => pressMake(page));
  expect(name).toMatch(/-captions-en-US\.mp4$/);
  expect(bytes.includes('Cast off & hold on')).toBe(true);
  if (!hasFfmpeg) return;
  const { streams, boxes, tags } = probeVideo(bytes);
  expect(tags).toMatchObject({
    artist: 'The Ferry Captain',
    comment: expect.stringContaining('/video/') as string,
  });
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac', 'mov_text']);
  expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
});

test('a video that is within its bound already is saved as it is', async () => {
  const page = await show('captions');
  await openStudio(page);
  await page.getByLabel('25 MB').check();
  await page.getByText('The file already fits').waitFor();
  const { bytes } = await saved(page, () => pressMake(page));
  const whole = await journey.get(await journey.href('captions', 'mp4'));
  const original = Buffer.from(await whole.arrayBuffer());
  const media = (file: Buffer) => file.subarray(file.indexOf('mdat'), file.indexOf('mdat') + 10_000);
  expect(media(bytes).equals(media(original))).toBe(true);
  await page.getByRole('slider', { name: 'From' }).focus();
  await page.keyboard.press('PageUp');
  await page.locator('.studio').getByText('the part can begin a second or two before').waitFor();
});

test('a video that is larger than its bound, against what was known of it, is encoded', async () => {
  const larger = await journey.get(await journey.href('ordinary', 'mp4'));
  const body = Buffer.from(await larger.arrayBuffer());
  expect(body.length).toBeGreaterThan(1_000_000);
  const id = (await journey.href('very-short', 'mp4')).split('?', 1)[0]?.split('/').at(-1);
  const page = await show('very-short', (opened) =>
    opened.route(
      ({ pathname }) => pathname.endsWith(`/${id}`),
      (route) => route.fulfill({ body, contentType: 'video/mp4' }),
    ),
  );
  await openStudio(page);
  await page.getByLabel('Another size').check();
  await page.getByLabel('Megabytes').fill('1');
  await page.getByText('The file already fits').waitFor();
  const { bytes } = await saved(page, () => pressMake(page));
  expect(bytes.length).toBeLessThanOrEqual(1_000_000);
  expect(bytes.length).toBeGreaterThan(500_000);
});

test.each([
  ['encodes', async (page: Page) => decodingHevc(page).then(() => encodingNothing(page))],
  ['decodes', async (page: Page) => page.addInitScript('delete globalThis.VideoDecoder')],
])('offers no video where the browser %s none', async (_, withhold) => {
  const page = await show('ordinary', withhold);
  expect(await page.getByText('Fit a size limit or add subtitles').count()).toBe(0);
  expect(await everywhere(page).count()).toBe(0);
});

test('keeps the place of an H.264 video until the browser has said that it can make it', async () => {
  const moves: Promise<{ sum(): Promise<number> }>[] = [];
  const page = await show('ordinary', async (opened) => {
    await decodingHevc(opened);
    moves.push(watchShifts(opened));
  });
  await everywhere(page).waitFor();
  expect(await (await moves[0])?.sum()).toBe(0);
});

test('makes H.264 of a large video in another codec, of the same size, where the browser decodes that', async () => {
  expect(await everywhere(await show('ordinary')).count()).toBe(0);
  await watched?.context.close();
  const page = await show('ordinary', decodingHevc);
  const { name, bytes } = await saved(page, () => everywhere(page).click());
  expect(name).toMatch(/-h264\.mp4$/);
  await page.locator('.option-link[data-stage="saved"]').waitFor();
  await page.route('**/made.mp4', (route) => route.fulfill({ body: bytes, contentType: 'video/mp4' }));
  const played = await page.evaluate(async () => {
    const video = document.createElement('video');
    video.src = '/made.mp4';
    video.muted = true;
    await video.play();
    return { width: video.videoWidth, height: video.videoHeight };
  });
  expect(played).toEqual({ width: 1080, height: 1920 });
  if (hasFfmpeg)
    expect(probeVideo(bytes).streams).toMatchObject([
      { codec_name: 'h264', width: 1080, height: 1920, pix_fmt: 'yuv420p', color_range: 'tv' },
      { codec_name: 'aac' },
    ]);
});

/** A browser whose encoder is taken by another program in the middle. */
const losingEncoder = (page: Page) =>
  page.route('**/device-video.js', async (route) => {
    const response = await route.fetch();
    const lost = `{
      const Whole = VideoEncoder;
      let frames = 0;
      VideoEncoder = class extends Whole {
        encode(...given) {
          if (++frames > 9) throw new DOMException('taken', 'OperationError');
          super.encode(...given);
        }
      };
    }`;
    await route.fulfill({ response, body: `${lost}${await response.text()}` });
  });

/** A device whose disk is full. */
const withoutSpace = async (page: Page) =>
  (await page.context().newCDPSession(page)).send('Storage.overrideQuotaForOrigin', {
    origin: journey.product.origin,
    quotaSize: 40_000,
  });

test.each([
  ['the file breaks off', 'can’t read the video', (file: Buffer) => file.subarray(0, 5000), null],
  ['the file is none', 'can’t read the video', () => Buffer.from('<html>'), null],
  ['the encoder stops in the middle', 'stopped encoding', (file: Buffer) => file, losingEncoder],
  ['the disk is full', 'isn’t enough free space', (file: Buffer) => file, withoutSpace],
])('says why when %s, saves nothing, and leaves nothing behind', async (_, why, edit, prepare) => {
  isBroken = true;
  const file = edit(await readFile('tests/support/media/av1.mp4'));
  const page = await show('ordinary', (one) => decodingHevc(one, file));
  await prepare?.(page);
  const listed: string[] = [];
  page.on('download', (download) => listed.push(download.suggestedFilename()));
  await everywhere(page).click();
  await page.locator('.option').getByText(why).waitFor();
  expect(listed).toEqual([]);
  await until('its folder is gone', async () => (await leftOvers(page)).length === 0);
});
