import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { originalVideo } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';
import { startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

function run(command: string, ...values: string[]): boolean {
  try {
    execFileSync(command, values, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Only root can mount a small file system, but anybody can limit the size of files. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-mount-'));
  const mounted = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  if (mounted) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return mounted;
}

const megabyte = 2 ** 20;
const ways = [
  { name: 'a small file system (mounted by root only)', there: canMount(), mounts: true },
  { name: 'a limit to the size of a file', there: run('prlimit', '--version'), mounts: false },
];

for (const { name, there, mounts } of ways)
  describe.skipIf(!there)(`a full disk: ${name}`, () => {
    let folder: string;
    let journey: Journey;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'clipferry-data-'));
      if (mounts) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
      // Room for the database and its log while all articles are imported, but not for an mp3 of nine megabytes.
      const limit = mounts ? {} : { wrapper: ['prlimit', `--fsize=${8 * megabyte}`] };
      journey = await startJourney({ dataFolder: folder, ...limit });
    });
    afterEach(async () => {
      await journey.stop();
      if (mounts) execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    });

    const files = () =>
      readdirSync(join(folder, 'expiring-files'), { withFileTypes: true }).filter((one) => one.isFile());
    const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

    test('in the middle of a conversion still gives the whole mp3 to its readers, and keeps no file', async () => {
      const href = await journey.href('ten-minutes', 'mp3');
      const readers = await Promise.all([journey.get(href), journey.get(href)]);
      const [first, second] = await Promise.all(readers.map(bytesOf));
      expect(first).toHaveLength(Number(readers[0]?.headers.get('content-length')));
      expect(first?.length).toBeGreaterThan(9 * megabyte);
      expect(second?.equals(first ?? Buffer.alloc(0))).toBe(true);
      expect(Math.abs(readMp3(first ?? Buffer.alloc(0)).durationS - 600)).toBeLessThan(0.15);
      await until('nothing is kept', () => files().length === 0);
      // Small files are stored as usual, and video needs no disk.
      expect((await journey.get(await journey.href('very-short', 'mp3'))).status).toBe(200);
      const video = await bytesOf(await journey.get(await journey.href('ordinary', 'mp4')));
      expect(video.equals(originalVideo('ordinary'))).toBe(true);
      expect((await journey.get('/readyz')).status).toBe(200);
    });

    test.runIf(mounts)(
      'that is full at a start is told of once, however often the site is started',
      async () => {
        await journey.product.stop();
        const told: string[] = [];
        const receiver = createServer((request, response) => {
          const parts: Buffer[] = [];
          request.on('data', (part: Buffer) => parts.push(part));
          request.on('end', () => {
            told.push((JSON.parse(Buffer.concat(parts).toString()) as { text: string }).text);
            response.end();
          });
        }).listen(0, '127.0.0.1');
        await once(receiver, 'listening');
        const { port } = receiver.address() as AddressInfo;
        const env = { ALARM_WEBHOOK_URL: `http://127.0.0.1:${port}/`, ALARM_WEBHOOK_PRIVATE: '1' };
        const start = () => startProduct({ dataFolder: folder, env });
        const well = await start();
        expect(await well.stop()).toBe(0);
        const filling = join(folder, 'filling');
        expect(() => writeFileSync(filling, Buffer.alloc(9 * megabyte))).toThrow('ENOSPC');
        for (let time = 0; time < 3; time++)
          await expect(start()).rejects.toThrow(/ended with 1 before it was ready: .*clipferry\.db/);
        expect(told).toEqual([expect.stringMatching(/A disk is nearly full\n.*The site does not start\.\n/)]);
        rmSync(filling);
        const again = await start();
        expect(await again.stop()).toBe(0);
        receiver.close();
      },
    );
  });
