import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Journey, startJourney } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';

let platform: PlatformProcess;
let journey: Journey;
let socketsAtRest = 0;

/** Processes that the product started and that still live. */
function children(pid: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(pid);
      } catch (error) {
        // A process may end between the listing and the look.
        if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
        throw error;
      }
    });
}

function sockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(join(folder, fd)).startsWith('socket:');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }).length;
}

const leftovers = (folder: string) =>
  readdirSync(join(folder, 'expiring-files')).filter((name) => name.endsWith('.part'));

/** Nothing that a visitor started is left: no child, no file, no transfer, no conversion. */
async function atRest({ product, platform }: Journey): Promise<void> {
  await until('no child process', () => children(product.pid).length === 0);
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
  await journey.resolve('ten-minutes');
  socketsAtRest = sockets(journey.product.pid);
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

  test('leaves nothing behind, even when there are sixty of them', async () => {
    await platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 400_000_000 } } });
    const paths = await Promise.all(['mp4', 'mp3'].map((option) => journey.href('ten-minutes', option)));
    const visitors = Array.from({ length: 60 }, () => new AbortController());
    const readers = await Promise.all(
      visitors.map(async ({ signal }, at) =>
        (await journey.get(paths[at % 2] ?? '', { signal })).body?.getReader(),
      ),
    );
    await Promise.all(readers.map((reader) => reader?.read()));
    for (const visitor of visitors) visitor.abort();
    await atRest(journey);
    // Connections to the platform that may be used again, and the one this test asks with.
    await until(
      'no socket more than before',
      () => sockets(journey.product.pid) <= socketsAtRest + 70,
      15_000,
    );
    expect((await journey.resolve('ordinary')).status).toBe(200);
  });
});

test('killed in the middle of a conversion, the next start serves the same link', async () => {
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
  // A data folder that was given is not removed with the process.
  process.kill(journey.product.pid, 'SIGKILL');
  expect(await settled).toBe('broken');
  await platform.reset();
  journey = await startJourney({ platform, dataFolder });
  expect(leftovers(dataFolder)).toEqual([]);
  const bytes = Buffer.from(await (await journey.get(href)).arrayBuffer());
  expect(readMp3(bytes).durationS).toBeGreaterThan(59);
  expect(await journey.product.stop()).toBe(0);
  journey = await startJourney({ platform });
});

test('told to stop, running downloads finish first', async () => {
  await journey.platform.configure({ posts: { 'long-60s': { bandwidthBps: 60_000_000 } } });
  const href = await journey.href('long-60s', 'mp4');
  const response = await journey.get(href);
  const whole = response.arrayBuffer();
  const ended = journey.product.stop('SIGTERM');
  expect((await whole).byteLength).toBe(Number(response.headers.get('content-length')));
  expect(await ended).toBe(0);
  await expect(journey.get('/readyz')).rejects.toThrow();
  journey = await startJourney({ platform });
});
