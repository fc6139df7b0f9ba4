import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

test('prints in one line where it listens, and SIGTERM ends it at once without a trace', async () => {
  const child = spawn(process.execPath, [MAIN, '--latency-ms', '1', '--seed', '7'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { proxyUrl, caFile, controlUrl, links } = JSON.parse(line);
  expect(proxyUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(links.ordinary).toMatch(/^https:\/\/www\.tiktok\.com\/@ferry\.captain\/video\/\d{19}$/);
  expect(existsSync(caFile)).toBe(true);
  expect((await fetch(`${controlUrl}/links`)).status).toBe(200);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(caFile)).toBe(false);
});
