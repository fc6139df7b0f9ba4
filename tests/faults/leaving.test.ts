import { readdirSync, rmSync } from 'node:fs';
import { type ClientRequest, get } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { type OpenThings, openThings } from '../support/processes.ts';
import { until } from '../support/until.ts';

let platform: PlatformProcess;
let journey: Journey;

const leftovers = (folder: string) =>
  readdirSync(join(folder, 'expiring-files')).filter((name) => name.endsWith('.part'));

/** Nothing that a visitor started remains: no child process, no file, no transfer, no conversion. */
async function atRest({ product, platform }: Journey): Promise<void> {
  await until('no child process', () => openThings(product.pid, product.dataFolder).children === 0);
  await until('no unfinished file', () => leftovers(product.dataFolder).length === 0);
  await until('no transfer', async () => (await platform.stats()).transfers.open === 0);
  await until(
    'no conversion',
    async () => (await product.metric('clipferry_conversions', { state: 'running' })) === 0,
  );
  await until(
    'nobody waits',
    async () => (await product.metric('clipferry_conversions', { state: 'waiting' })) === 0,
  );
}

/** Idle keep-alive connections are closed after some seconds, on either side: so many looks find the same. */
const quietLooks = 60;

/** The resources of an idle product: unchanged for so long that no keep-alive connection remains. */
async function heldAtRest({ product }: Journey): Promise<OpenThings & { timers: number }> {
  let last = openThings(product.pid, product.dataFolder);
  let same = 0;
  await until(
    'nothing changes any more',
    () => {
      const now = openThings(product.pid, product.dataFolder);
      same = JSON.stringify(now) === JSON.stringify(last) ? same + 1 : 0;
      last = now;
      return same > quietLooks;
    },
    25_000,
  );
  return { ...last, timers: await product.metric('nodejs_active_resources', { type: 'Timeout' }) };
}

/** Sends requests on a separate connection and leaves with the first bytes, when all have them. */
function firstBytes(path: string): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const request = get(journey.product.origin + path, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.once('data', () => {
        response.pause();
        resolve(request);
      });
      response.on('error', () => {});
    });
    request.on('error', reject);
  });
}

/** Sixty visitors who have received the first bytes of a video or a sound, and leave together. */
async function sixtyLeave(paths: readonly string[]): Promise<void> {
  const visitors = await Promise.all(
    Array.from({ length: 60 }, (_, at) => firstBytes(paths[at % paths.length] ?? '')),
  );
  expect((await platform.stats()).transfers.open).toBeGreaterThan(20);
  for (const visitor of visitors) visitor.destroy();
  await atRest(journey);
}

beforeAll(async () => {
  platform = await startPlatform();
  journey = await startJourney({ platform, env: { CONVERSIONS: '2' } });
  await journey.platform.configure({
    posts: {
      'ten-minutes': { bandwidthBps: 4_000_000 },
      'moov-last-fine': { bandwidthBps: 4_000_000 },
      'slow-20-kbyte': { latencyMs: 500 },
    },
  });
});
afterEach(() => atRest(journey));
afterAll(async () => {
  await journey.stop();
  await platform.stop();
});

async function leaveAfter(
  path: string,
  leave: (reader: ReadableStreamDefaultReader<Uint8Array>) => Promise<unknown>,
): Promise<void> {
  const visitor = new AbortController();
  const response = await journey.get(path, { signal: visitor.signal });
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error('no body');
  await leave(reader);
  visitor.abort();
}

describe('a visitor who leaves', () => {
  test('while the page is being read', async () => {
    const visitor = new AbortController();
    const asked = journey.get('/api/resolve', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: journey.platform.link('slow-20-kbyte') }),
      signal: visitor.signal,
    });
    await until(
      'the page is asked for',
      async () => (await journey.platform.stats()).byPost['slow-20-kbyte'] !== undefined,
    );
    visitor.abort();
    await expect(asked).rejects.toThrow();
  });

  test.each([
    ['page', '/?url=', undefined],
    ['data of a page', '/_.data?url=', undefined],
    ['form of a page', '/', 'url='],
  ])('while the page %s with a link is rendered', async (_, path, form) => {
    const link = encodeURIComponent(journey.platform.link('slow-20-kbyte'));
    const asked = async () => (await platform.stats()).byPost['slow-20-kbyte']?.requests ?? 0;
    const before = await asked();
    const visitor = new AbortController();
    const answer = journey.get(form === undefined ? path + link : path, {
      signal: visitor.signal,
      ...(form !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form + link,
      }),
    });
    await until('the post is asked for', async () => (await asked()) > before);
    visitor.abort();
    await expect(answer).rejects.toThrow();
  });

  test('in the middle of an mp4', async () => {
    await leaveAfter(await journey.href('ten-minutes', 'mp4'), (reader) => reader.read());
  });

  test('in the middle of an mp3', async () => {
    await leaveAfter(await journey.href('ten-minutes', 'mp3'), (reader) => reader.read());
  });

  test('before the first byte of an mp3, and while waiting', async () => {
    const visitors = [new AbortController(), new AbortController()];
    const paths = [await journey.href('ten-minutes', 'mp3'), await journey.href('moov-last-fine', 'm4a')];
    const asked = paths.map((path, at) => journey.get(path, { signal: visitors[at]?.signal ?? null }));
    await until(
      'one waits',
      async () => (await journey.product.metric('clipferry_conversions', { state: 'waiting' })) === 1,
    );
    for (const visitor of visitors) visitor.abort();
    await Promise.allSettled(asked);
  });

  test('before the first byte of an mp4', async () => {
    const href = await journey.href('landscape', 'mp4');
    await platform.configure({ posts: { landscape: { latencyMs: 20_000 } } });
    const videos = async () => (await platform.stats()).byPost.landscape?.byKind.video ?? 0;
    const before = await videos();
    const visitor = new AbortController();
    const asked = journey.get(href, { signal: visitor.signal });
    await until('the file is asked for', async () => (await videos()) > before);
    visitor.abort();
    await expect(asked).rejects.toThrow();
  });

  test('leaves nothing behind, even when sixty leave, again and again', {
    skip: !isAudit,
    timeout: 90_000,
  }, async () => {
    await platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 400_000_000 } } });
    const options = ['mp4', 'mp3', 'm4a'];
    const paths = await Promise.all(options.map((option) => journey.href('ten-minutes', option)));
    await sixtyLeave(paths);
    const baseline = await heldAtRest(journey);
    // The listening sockets and the metrics, and nothing of the requests.
    expect(baseline.sockets).toBeLessThan(12);
    expect(baseline.children).toBe(0);
    await sixtyLeave(paths);
    await sixtyLeave(paths);
    const after = await heldAtRest(journey);
    for (const what of ['sockets', 'files', 'children', 'threads', 'timers'] as const)
      expect(after[what], what).toBeLessThanOrEqual(baseline[what]);
    expect((await journey.resolve('ordinary')).status).toBe(200);
  });

  test('is not an error: no warning, no error, and no failed request in the metrics', async () => {
    // The example's configuration does not name the site's operator, and the start says so.
    const troubles = journey.product
      .log()
      .filter(({ level, msg }) => Number(level) >= 40 && !String(msg).includes('who runs the site'));
    expect(troubles).toEqual([]);
    expect(await journey.product.metric('clipferry_requests_total', { status: '500' })).toBe(0);
  });
});

test('a process killed in the middle of a conversion serves the same link after its next start', {
  skip: !isAudit,
}, async () => {
  const { dataFolder } = journey.product;
  const href = await journey.href('moov-last-fine', 'mp3');
  const interrupted = journey.get(href).then((response) => response.arrayBuffer());
  const settled = interrupted.then(
    () => 'whole',
    () => 'broken',
  );
  await until(
    'it converts',
    async () => (await journey.product.metric('clipferry_conversions', { state: 'running' })) === 1,
  );
  await until('a file grows', () => leftovers(dataFolder).length === 1);
  // The process does not remove a data folder that it was given.
  process.kill(journey.product.pid, 'SIGKILL');
  expect(await settled).toBe('broken');
  await platform.reset();
  journey = await startJourney({ platform, dataFolder });
  expect(leftovers(dataFolder)).toEqual([]);
  const bytes = Buffer.from(await (await journey.get(href)).arrayBuffer());
  expect(readMp3(bytes).durationS).toBeGreaterThan(59);
  expect(await journey.product.stop()).toBe(0);
  rmSync(dataFolder, { recursive: true });
  journey = await startJourney({ platform });
});

test('when told to stop, finishes running downloads and conversions, and waiting visitors also get their file', {
  skip: !isAudit,
}, async () => {
  await platform.configure({
    posts: { 'long-60s': { bandwidthBps: 60_000_000 }, 'moov-last-fine': { bandwidthBps: 40_000_000 } },
  });
  const paths = [
    await journey.href('long-60s', 'mp4'),
    await journey.href('moov-last-fine', 'mp3'),
    await journey.href('very-short', 'mp3'),
  ];
  const responses = paths.map((path) => journey.get(path));
  await until(
    'one converts and one waits',
    async () =>
      (await journey.product.metric('clipferry_conversions', { state: 'running' })) === 1 &&
      (await journey.product.metric('clipferry_conversions', { state: 'waiting' })) === 1,
  );
  const video = await responses[0];
  const ended = journey.product.stop('SIGTERM');
  for (const asked of [video, ...responses.slice(1)]) {
    const response = await asked;
    expect((await response?.arrayBuffer())?.byteLength).toBe(Number(response?.headers.get('content-length')));
  }
  expect(await ended).toBe(0);
  await expect(journey.get('/readyz')).rejects.toThrow();
  journey = await startJourney({ platform });
});
