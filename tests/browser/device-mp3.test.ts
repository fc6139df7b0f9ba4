import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { openPage, untilScriptsRun, type WatchedPage } from '../support/browser.ts';
import { runCli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { type Journey, type JourneyOptions, startJourney } from '../support/journey.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { siteFile } from '../support/site-file.ts';
import { until } from '../support/until.ts';

/** The worker's script, the feature's own code, and the codecs. */
const isOfDevice = (address: string) => /device-mp3\.js|\/make-mp3-[^/]+\.js|mp3-[^/]+\.wasm/.test(address);

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

/** A site without ffmpeg: it encodes with WebAssembly. */
const start = async (device_mp3: object, env: JourneyOptions['env'] = {}) => {
  journey = await startJourney({ env: { PATH: '/nowhere', SITE_CONFIG: siteFile({ device_mp3 }), ...env } });
};

/** A result on a device of four cores, and what its browser requests and lists. */
async function show(post: string, cores = 4, options: BrowserContextOptions = {}) {
  watched = await openPage(browser, journey.product.origin, options);
  const { page } = watched;
  await page.addInitScript((count) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: count });
  }, cores);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`/?url=${encodeURIComponent(journey.platform.link(post))}`);
  await untilScriptsRun(page);
  await page.locator('.result-author').waitFor();
  // Code that pages do not need to work loads when the browser is idle.
  for (let n = 0; n < 3; n += 1) await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
  return { page, requested };
}

const pressMp3 = (page: Page) => page.getByRole('link', { name: /Download MP3/ }).click();

/** What the browser saves after a press. */
async function saved(page: Page, press: () => Promise<unknown> = () => pressMp3(page)) {
  const listed = page.waitForEvent('download');
  await press();
  const download = await listed;
  return {
    address: download.url(),
    name: download.suggestedFilename(),
    bytes: await readFile(await download.path()),
  };
}

const bytesOf = async (path: string) => Buffer.from(await (await journey.get(path)).arrayBuffer());
const conversions = () => journey.product.metric('clipferry_conversions_asked_total');

describe('a site whose visitors always encode', () => {
  beforeAll(() => start({ when: 'always' }));
  afterAll(() => journey.stop());

  test('loads nothing before a press; then the file matches the server’s to the byte', async () => {
    const { page, requested } = await show('moov-last');
    expect(requested.filter(isOfDevice)).toEqual([]);
    const file = await saved(page);
    expect(file.address).toMatch(/^blob:/);
    expect(requested.filter(isOfDevice)).not.toEqual([]);
    await page.locator('.option-link[data-stage="saved"]').waitFor();
    expect(page.workers()).toEqual([]);
    expect(await conversions()).toBe(0);
    const href = await journey.href('moov-last', 'mp3');
    const response = await journey.get(href);
    expect(response.headers.get('content-disposition')).toContain(file.name);
    const served = Buffer.from(await response.arrayBuffer());
    expect(served.length).toBeGreaterThan(300_000);
    expect(file.bytes.equals(served)).toBe(true);
    // The server itself serves files that it has by now.
    const again = await show('moov-last');
    expect((await saved(again.page)).address).toContain('/api/files/');
  });

  test('makes a ringtone too, with its fade-out', { skip: !isAudit }, async () => {
    const { page } = await show('ordinary');
    await page.getByText('Save only a part').click();
    await page.locator('[name=from]').fill('0:01');
    const ringtone = page.locator('button[name=ringtone][data-id=mp3]');
    const file = await saved(page, () => ringtone.click());
    expect(file.address).toMatch(/^blob:/);
    const href = await journey.href('ordinary', 'mp3');
    expect(file.bytes.equals(await bytesOf(`${href}?from=1&ringtone=1`))).toBe(true);
  });

  test('can be cancelled in the middle, and nothing continues', { skip: !isAudit }, async () => {
    await journey.platform.configure({ posts: { 'dash-hd-60s-fragmented': { bandwidthBps: 1_500_000 } } });
    const { page, requested } = await show('dash-hd-60s-fragmented');
    await pressMp3(page);
    await until('there is progress', async () =>
      /[1-9]/.test((await page.locator('.option-link .option-facts').textContent()) ?? ''),
    );
    expect(page.workers()).toHaveLength(1);
    await page.locator('.option').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Download canceled.').first().waitFor();
    await until('the worker is gone', () => page.workers().length === 0);
    expect(requested.filter((address) => address.includes('/ready'))).toEqual([]);
  });

  const faults: [string, (page: Page) => Promise<unknown>][] = [
    ['the worker’s script cannot be had', (page) => page.route('**/device-mp3.js', (route) => route.abort())],
    [
      'the worker breaks',
      (page) =>
        page.route('**/device-mp3.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: 'onmessage = () => nothing.there()' }),
        ),
    ],
    ['a codec cannot be had', (page) => page.route('**/*.wasm', (route) => route.abort())],
    [
      'the sound breaks off in the middle',
      (page) =>
        page.route('**/frames', async (route) => {
          const response = await route.fetch();
          const body = await response.body();
          await route.fulfill({ response, body: body.subarray(0, body.length / 2), headers: {} });
        }),
    ],
    [
      'the server refuses the sound',
      (page) => page.route('**/frames', (route) => route.fulfill({ status: 503 })),
    ],
    ['the page’s code for it cannot be had', (page) => page.route('**/maker-*.js', (route) => route.abort())],
  ];
  test.each(sample(faults, ([what]) => what === 'the worker breaks'))(
    'when %s, the server makes the file without a message',
    async (_, fail) => {
      const { page } = await show('only-576');
      isBroken = true;
      await fail(page);
      const file = await saved(page);
      expect(file.address).toContain('/api/files/');
      expect(file.bytes.equals(await bytesOf(await journey.href('only-576', 'mp3')))).toBe(true);
    },
  );

  test('a download counts once, both when the device makes the file and when the server takes over', {
    skip: !isAudit,
  }, async () => {
    const counted = async () => {
      const { output } = await runCli(['statistics', 'downloads', '--json'], {
        DATA_DIR: journey.product.dataFolder,
      });
      const { downloads } = JSON.parse(output) as { downloads: { device: string; total: number }[] };
      return downloads.flatMap(({ device, ...row }) =>
        device === 'mobile' ? [{ ...row, total: Number(row.total) }] : [],
      );
    };
    // Chromium without a window identifies itself as a program. Nobody else here has a phone.
    const userAgent =
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36';
    const isOnce = (total: number) => [{ format: 'mp3', outcome: 'complete', total }];
    const here = await show('long-60s', 4, { userAgent });
    expect((await saved(here.page)).address).toMatch(/^blob:/);
    await eventually(counted).toEqual(isOnce(1));
    const there = await show('no-h265', 4, { userAgent });
    isBroken = true;
    await there.page.route('**/*.wasm', (route) => route.abort());
    expect((await saved(there.page)).address).toContain('/api/files/');
    expect(there.requested.filter((address) => address.includes('/frames'))).toHaveLength(1);
    await eventually(counted).toEqual(isOnce(2));
  });

  test('a device with two cores does none of it', { skip: !isAudit }, async () => {
    const { page, requested } = await show('ordinary', 2);
    expect((await saved(page)).address).toContain('/api/files/');
    expect(requested.filter((address) => /device-mp3\.js|wasm|\/frames/.test(address))).toEqual([]);
  });

  test('only the worker may compile, and it runs nothing from elsewhere', async () => {
    const policyOf = async (path: string) => (await journey.get(path)).headers.get('content-security-policy');
    expect(await policyOf('/')).not.toContain('unsafe');
    expect(await policyOf('/device-mp3.js')).toBe(
      "default-src 'none'; connect-src 'self'; script-src 'wasm-unsafe-eval'",
    );
  });
});

describe('a site whose visitors encode when many wait', () => {
  beforeAll(() => start({ when: 'busy', ahead: 2 }, { CONVERSIONS: '1', TRUST_PROXY: '127.0.0.1' }));
  afterAll(() => journey.stop());

  /** Lets a visitor request a conversion that takes long. */
  async function occupy(post: string, visitor: string) {
    const href = await journey.href(post, 'mp3');
    const left = new AbortController();
    const headers = { 'x-forwarded-for': visitor };
    journey
      .get(href, { headers, signal: left.signal })
      .then((response) => response.arrayBuffer())
      .catch(() => {});
    await until(`${post} is asked for`, async () => {
      const { result } = (await (await journey.get(`${href}/status`)).json()) as {
        result: { state: string };
      };
      return result.state !== 'idle';
    });
    return () => left.abort();
  }

  test('the device takes over while others are ahead, and leaves the queue', { skip: !isAudit }, async () => {
    const slow = ['ten-minutes', 'dash-hd-60s-fragmented', 'moov-last'];
    await journey.platform.configure({
      posts: Object.fromEntries(slow.map((post) => [post, { bandwidthBps: 500_000 }])),
    });
    const leaving = [];
    for (const [n, post] of slow.entries()) leaving.push(await occupy(post, `203.0.113.${n + 1}`));
    const { page, requested } = await show('ordinary');
    const file = await saved(page);
    expect(file.address).toMatch(/^blob:/);
    expect(requested.filter((address) => address.includes('/ready'))).toHaveLength(1);
    await until(
      'its place is free',
      async () => (await journey.product.metric('clipferry_conversions', { state: 'waiting' })) === 2,
    );
    for (const leave of leaving) leave();
  });

  test('the server converts with nobody ahead, and nothing is loaded', { skip: !isAudit }, async () => {
    const { page, requested } = await show('only-576');
    expect((await saved(page)).address).toContain('/api/files/');
    expect(requested.filter(isOfDevice)).toEqual([]);
  });
});
