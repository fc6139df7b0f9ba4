import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { makeDataFolder } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** Starts the product with an open file as its standard output. */
async function startOn(stdout: number) {
  const folder = makeDataFolder();
  // The log states the product's port, and nobody reads it.
  const port = await freePort();
  const child = spawn(process.execPath, ['src/app/web.js'], {
    stdio: ['ignore', stdout, 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
      // Enough requests to fill a log.
      FILES_PER_MINUTE: '100000',
      PAGES_PER_MINUTE: '100000',
    },
  });
  ended.push(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const origin = `http://127.0.0.1:${port}`;
  const isAlive = () =>
    rawRequest(origin, '/healthz')
      .then(({ status }) => status === 200)
      .catch(() => false);
  await expect.poll(isAlive, { timeout: 45_000 }).toBe(true);
  return { origin, child };
}

/** Each causes several kB of log. */
async function beRefused(origin: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  const request = async () => {
    while (statuses.length < count) statuses.push((await rawRequest(origin, '/api/files/none')).status);
  };
  await Promise.all(Array.from({ length: 8 }, request));
  return statuses;
}

async function lostLines(origin: string): Promise<number> {
  const text = String((await rawRequest(origin, '/metrics')).body);
  return Number(/^clipferry_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
}

const places = [
  ['a pipe that nobody reads', true],
  ['a disk that is full', false],
] as const;

test.each(places)('a log on %s loses lines, and nothing else', async (_, isPipe) => {
  let stdout: number;
  if (isPipe) {
    const folder = mkdtempSync(join(tmpdir(), 'clipferry-log-'));
    execFileSync('mkfifo', [join(folder, 'log')]);
    // Open at both ends, so that there is a reader who never reads.
    stdout = openSync(join(folder, 'log'), constants.O_RDWR);
    ended.push(() => rmSync(folder, { recursive: true }));
  } else stdout = openSync('/dev/full', 'w');
  ended.push(() => closeSync(stdout));
  const { origin, child } = await startOn(stdout);
  do expect(new Set(await beRefused(origin, 400))).toEqual(new Set([404]));
  while ((await lostLines(origin)) === 0);
  expect(await lostLines(origin)).toBeGreaterThan(0);
  expect((await rawRequest(origin, '/tiktok-downloader')).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  if (isPipe) {
    const buffer = Buffer.alloc(1000);
    expect(buffer.toString('utf8', 0, readSync(stdout, buffer))).toContain('"level":30');
  }
});
