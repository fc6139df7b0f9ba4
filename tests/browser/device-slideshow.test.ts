import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { prefixBytes, signs } from '../../src/features/device-media/wire/slideshow-parts.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { openPage, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type LayoutShifts, watchShifts } from '../support/layout-shift.ts';
import { brightnessAt, hasFfmpeg, plainPicture, probeVideo } from '../support/probe.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { siteFile } from '../support/site-file.ts';
import { until } from '../support/until.ts';

const isOfDevice = (address: string) => /device-video\.js|\/slideshow/.test(address);

let browser: Browser;
let journey: Journey;
let watched: WatchedPage | undefined;
/** Whether the console may report a missing file. */
let isBroken = false;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(async () => {
  await watched?.context.close();
  await journey.platform.reset();
  if (!isBroken) expect(watched?.problems ?? []).toEqual([]);
  isBroken = false;
  watched = undefined;
});

/** A site whose server makes no videos. */
const start = async (site: Readonly<Record<string, unknown>> = {}) => {
  journey = await startJourney({ env: { PATH: '/nowhere', SITE_CONFIG: siteFile(site) } });
};

const buttonOf = (page: Page) => page.getByRole('link', { name: /Download all as one video/ });

/** A result, once the browser's abilities are known, and what it requests and lists. */
async function show(post: string, prepare: (page: Page) => Promise<unknown> = async () => {}) {
  watched = await openPage(browser, journey.product.origin);
  const { page } = watched;
  await prepare(page);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`/?url=${encodeURIComponent(journey.platform.link(post))}`);
  await untilScriptsRun(page);
  await page.locator('.result-author').waitFor();
  await until('it is known', async () => (await page.locator('.device-media-kept').count()) === 0);
  return { page, requested };
}

/** What the browser saves after a press. */
async function saved(page: Page) {
  const listed = page.waitForEvent('download');
  await buttonOf(page).click();
  const download = await listed;
  await page.locator('.option-link[data-stage="saved"]').waitFor();
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** The worker's answer with other bytes. */
const change = (page: Page, edit: (body: Buffer) => Buffer) =>
  page.route('**/slideshow', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: edit(await response.body()), headers: {} });
  });

/** The share of one picture in a mixture of two. */
function shareOf(one: readonly number[], other: readonly number[], between: readonly number[]): number {
  const apart = one.map((field, n) => field - (other[n] ?? 0));
  const moved = between.map((field, n) => (field - (other[n] ?? 0)) * (apart[n] ?? 0));
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return sum(moved) / sum(apart.map((value) => value ** 2));
}

/** Replaces a picture by data that is not one. */
function breakPicture(body: Buffer, index: number): Buffer {
  for (let [at, seen] = [0, 0]; at < body.length; at += prefixBytes + body.readUInt32BE(at + 1)) {
    if (body[at] !== signs.picture || seen++ !== index) continue;
    return body.fill(7, at + prefixBytes, at + prefixBytes + body.readUInt32BE(at + 1));
  }
  throw new Error(`no picture ${index}`);
}

/** Replaces the sound by data that is none. */
function breakSound(body: Buffer): Buffer {
  for (let at = 0; at < body.length; at += prefixBytes + body.readUInt32BE(at + 1))
    if (body[at] === signs.sound)
      body.fill(7, at + prefixBytes, at + prefixBytes + body.readUInt32BE(at + 1));
  return body;
}

describe('a site without ffmpeg', () => {
  beforeAll(() => start());
  afterAll(() => journey.stop());

  test('makes the video in the browser, and loads nothing for it before a press', async () => {
    const { page, requested } = await show('photos-m4a');
    expect(requested.filter(isOfDevice)).toEqual([]);
    const { name, bytes } = await saved(page);
    expect(name).toMatch(/^[\w.]+-\d{19}\.mp4$/);
    expect(page.workers()).toEqual([]);
    expect(await journey.product.metric('clipferry_conversions_asked_total')).toBe(0);
    if (!hasFfmpeg) return;
    const { durationS, streams, boxes, tags } = probeVideo(bytes);
    expect(streams).toMatchObject([
      { codec_name: 'h264', width: 1080, height: 1350 },
      { codec_name: 'aac', nb_frames: '862' },
    ]);
    for (const seconds of [durationS, ...streams.map(({ duration }) => Number(duration))])
      expect(Math.abs(seconds - 20)).toBeLessThan(0.1);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
    expect(tags).toMatchObject({
      title: 'Three pictures with music as m4a #ferry #double',
      artist: 'The Ferry Captain',
    });
  });

  test('without a sound each picture rests, and one that cannot be decoded is left out', {
    skip: !isAudit,
  }, async () => {
    const { page } = await show('photos-no-sound');
    const whole = await saved(page);
    await watched?.context.close();
    const { bytes } = await saved(
      (await show('photos-no-sound', (other) => change(other, (body) => breakPicture(body, 0)))).page,
    );
    if (!hasFfmpeg) return;
    expect(probeVideo(whole.bytes)).toMatchObject({
      durationS: 5,
      streams: [{ codec_name: 'h264', ...plainPicture }],
    });
    const [first = [], between = [], second = []] = [2.2, 2.51, 2.8].map((at) =>
      brightnessAt(whole.bytes, at),
    );
    expect(shareOf(second, first, between)).toBeCloseTo(0.55, 1);
    expect(probeVideo(bytes)).toMatchObject({ durationS: 2.5, streams: [{ height: 1436 }] });
  });

  test('says that it lacks its sound and a picture', async () => {
    const { page } = await show('photos-m4a', (one) =>
      change(one, (body) => breakPicture(breakSound(body), 0)),
    );
    expect((await saved(page)).name).toMatch(/-no-sound\.mp4$/);
    const notice = page.locator('.option .notice');
    await notice.getByText(/so this video is silent\. 1 photo isn’t in this file/).waitFor();
  });

  test('can be cancelled in the middle, and nothing continues', { skip: !isAudit }, async () => {
    await journey.platform.configure({ posts: { 'photos-m4a': { bandwidthBps: 1_000_000 } } });
    const { page } = await show('photos-m4a');
    await buttonOf(page).click();
    await until('there is progress', async () =>
      /[1-9]/.test((await page.locator('.option-link .option-facts').textContent()) ?? ''),
    );
    expect(page.workers()).toHaveLength(1);
    await page.locator('.option').getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.option').getByText('Download canceled.').waitFor();
    await until('the worker is gone', () => page.workers().length === 0);
  });

  test('reports an error, and a second press can succeed', { skip: !isAudit }, async () => {
    const { page } = await show('photos-no-sound');
    isBroken = true;
    await change(page, (body) => body.subarray(0, body.length / 2));
    await buttonOf(page).click();
    await page.locator('.option').getByText('This post doesn’t come in that format').waitFor();
    await page.unroute('**/slideshow');
    const listed = page.waitForEvent('download');
    await page.locator('.option').getByRole('button', { name: 'Try again' }).click();
    await listed;
  });

  test('reserves the button’s place: nothing moves when it appears', { skip: !isAudit }, async () => {
    const shifts: LayoutShifts[] = [];
    await show('photos-m4a', async (page) => shifts.push(await watchShifts(page)));
    expect(await shifts[0]?.list()).toEqual([]);
  });

  const unable: [string, string, (page: Page) => Promise<unknown>][] = [
    ['that encodes no H.264', 'photos-m4a', (page) => page.addInitScript('delete globalThis.VideoEncoder')],
    // Like Chromium of Linux distributions; it copies AAC sound.
    ['that encodes no AAC, for a sound that is an mp3', 'photos', async () => {}],
  ];
  test.each(sample(unable, ([name]) => name.endsWith('H.264')))(
    'does not offer it to a browser %s',
    async (_, post, prepare) => {
      const { page } = await show(post, prepare);
      await page.getByRole('link', { name: 'Download MP3' }).waitFor();
      expect(await buttonOf(page).count()).toBe(0);
    },
  );

  test('the worker may read from this site, and runs nothing but itself', async () => {
    const policyOf = async (path: string) => (await journey.get(path)).headers.get('content-security-policy');
    expect(await policyOf('/device-video.js')).toBe("default-src 'none'; connect-src 'self'");
    expect(await policyOf('/')).toMatch(/trusted-types (?:\S+ )*device-media[ ;]/);
  });
});

describe('a site without it and other videos', () => {
  beforeAll(() => start({ device_slideshow: false, device_video: false }));
  afterAll(() => journey.stop());

  test('offers no such video, and has no trace of it', { skip: !isAudit }, async () => {
    const { page, requested } = await show('photos-m4a');
    expect(await buttonOf(page).count()).toBe(0);
    expect(requested.filter(isOfDevice)).toEqual([]);
    expect((await journey.get('/device-video.js')).status).toBe(404);
  });
});
