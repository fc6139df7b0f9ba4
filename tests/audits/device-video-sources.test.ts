import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { hasFfmpeg, probeVideo } from '../support/probe.ts';

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startJourney();
  return journey.product;
});
afterAll(() => journey.platform.stop());

/** An mp4 with its index first, of one call of ffmpeg or several, each of which has the file before as `{last}`. */
function made(...calls: readonly (readonly string[])[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'source-'));
  try {
    const path = (n: number) => join(folder, `${n}.mp4`);
    for (const [n, options] of calls.entries()) {
      const given = options.map((option) => (option === '{last}' ? path(n - 1) : option));
      const run = spawnSync('ffmpeg', ['-v', 'error', ...given, '-movflags', '+faststart', path(n)]);
      if (run.status !== 0) throw new Error(String(run.stderr));
    }
    return readFileSync(path(calls.length - 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What ffmpeg says of a file that it decodes as a whole. */
function complaints(file: Buffer): string {
  const run = spawnSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', '-f', 'null', '-'], { input: file });
  return String(run.stderr);
}

const picture = (size: string) => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=30:d=7`];
const sound = ['-f', 'lavfi', '-i', 'sine=d=7'];
const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const upright = [...picture('720x1280'), ...sound, ...codecs];

/** Shows a post whose video is another file, and asks for one of a megabyte. */
async function choose(file: Buffer): Promise<Page> {
  const { page } = await visits.open();
  const id = (await journey.href('ordinary', 'mp4')).split('?', 1)[0]?.split('/').at(-1);
  await page.route(
    ({ pathname }) => pathname.endsWith(`/${id}`),
    (route) => route.fulfill({ body: file, contentType: 'video/mp4' }),
  );
  await page.goto(`/?url=${encodeURIComponent(journey.platform.link('ordinary'))}`);
  await untilScriptsRun(page);
  await page.getByText('Fit a size limit or add subtitles').click();
  await page.getByLabel('Another size').check();
  await page.getByLabel('Megabytes').fill('1');
  await page.evaluate(() => {
    const slow: number[] = [];
    Object.assign(globalThis, { slow });
    const watch = new PerformanceObserver((list) =>
      slow.push(...list.getEntries().map((one) => one.duration)),
    );
    watch.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  return page;
}

const make = (page: Page) => page.getByRole('button', { name: 'Make the video' }).click();

describe.skipIf(!hasFfmpeg)('a video that fits', () => {
  test.each([
    [
      'of a picture that is turned',
      960,
      () => made(upright, ['-i', '{last}', '-c', 'copy', '-metadata:s:v', 'rotate=90']),
    ],
    [
      'of frames that differ in length',
      540,
      () => made([...upright, '-vf', "select='not(mod(n,3))+lt(n,60)+gt(n,200)'", '-fps_mode', 'vfr']),
    ],
    ['of an odd size', 540, () => made([...picture('719x1279'), ...sound, ...codecs, '-pix_fmt', 'yuv444p'])],
    [
      // More detail than the encoder can draw at that size: the second try is smaller.
      'of a high dynamic range',
      448,
      () =>
        made([
          ...picture('540x960'),
          ...sound,
          '-c:v',
          'libsvtav1',
          '-preset',
          '12',
          '-pix_fmt',
          'yuv420p10le',
          '-color_primaries',
          'bt2020',
          '-color_trc',
          'smpte2084',
          '-colorspace',
          'bt2020nc',
          '-c:a',
          'aac',
        ]),
    ],
    ['without a sound', 540, () => made([...picture('720x1280'), ...codecs])],
  ] as const)('is made %s', async (name, width, source) => {
    const page = await choose(source());
    const saved = page.waitForEvent('download');
    await make(page);
    // The page answers meanwhile.
    await page.getByLabel('16 MB').check();
    await page.getByLabel('25 MB').check();
    const bytes = await readFile(await (await saved).path());
    const slowest = await page.evaluate(() =>
      Math.max(0, ...(globalThis as unknown as { slow: number[] }).slow),
    );
    expect(slowest).toBeLessThan(200);
    expect(bytes.length).toBeLessThanOrEqual(1_000_000);
    const { streams, boxes } = probeVideo(bytes);
    const [seen, heard] = streams;
    expect(seen).toMatchObject({
      codec_name: 'h264',
      width,
      start_time: '0.000000',
    });
    expect(seen).toMatchObject({ pix_fmt: 'yuv420p', color_range: 'tv' });
    expect(seen).not.toHaveProperty('side_data_list');
    expect(streams).toHaveLength(name === 'without a sound' ? 1 : 2);
    if (heard !== undefined)
      expect(Math.abs(Number(seen?.duration) - Number(heard.duration))).toBeLessThan(0.02);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
    expect(complaints(bytes)).toBe('');
  });

  test('is made by an encoder whose bit rate cannot be corrected', async () => {
    const page = await choose(made(upright));
    await page.route('**/device-video.js', async (route) => {
      const response = await route.fetch();
      const steady = `{
        const { configure } = VideoEncoder.prototype;
        VideoEncoder.prototype.configure = function (config) {
          if (this.state === 'configured') throw new DOMException('no', 'NotSupportedError');
          configure.call(this, config);
        };
      }`;
      await route.fulfill({ response, body: `${steady}${await response.text()}` });
    });
    const saved = page.waitForEvent('download');
    await make(page);
    const bytes = await readFile(await (await saved).path());
    expect(bytes.length).toBeLessThanOrEqual(1_000_000);
  });

  test.each([
    ['breaks off', 'can’t read the video', () => made(upright).subarray(0, 300_000)],
    [
      'lasts an hour',
      'couldn’t be made small enough',
      () =>
        made([
          '-f',
          'lavfi',
          '-i',
          'color=s=64x64:r=1:d=3600',
          '-f',
          'lavfi',
          '-i',
          'sine=d=3600',
          ...codecs,
        ]),
    ],
  ])('is not made of a file that %s, and the page says why', async (_, why, source) => {
    const page = await choose(source());
    await make(page);
    await page.locator('.studio').getByText(why).waitFor();
  });
});
