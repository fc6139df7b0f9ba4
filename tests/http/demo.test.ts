import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { endWithTests } from '../support/processes.ts';
import { makeDataFolder } from '../support/product.ts';
import { until } from '../support/until.ts';

test('the demo with --promos shows a site that promotes something of every kind', async () => {
  const DATA_DIR = makeDataFolder();
  const PORT = String(await freePort());
  const demo = spawn(process.execPath, ['tools/demo/main.ts', '--promos'], {
    env: { ...process.env, DATA_DIR, PORT },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithTests(demo);
  try {
    let output = '';
    demo.stdout.on('data', (text) => {
      output += text;
    });
    await until('it says where it runs', () => output.includes(`http://127.0.0.1:${PORT}/`), 60_000);
    const html = await (await fetch(`http://127.0.0.1:${PORT}/`)).text();
    // Promotion in the page itself: the dialog of a program, and the share bar for browsers without scripts.
    expect(html).toContain('app-dialog');
    expect(html).toContain('share-bar');
    const { example_url } = JSON.parse(readFileSync('site.config.json', 'utf8')).index_modules[0]
      .download_info;
    const example = await fetch(`http://127.0.0.1:${PORT}/api/resolve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: example_url }),
    });
    expect(example.status).toBe(200);
    const cards = await fetch(`http://127.0.0.1:${PORT}/api/cards?path=%2F`);
    expect(await cards.text()).toContain('"type":"ad"');
  } finally {
    // The test ends what it has started, as with Ctrl-C.
    if (demo.exitCode === null) {
      demo.kill('SIGTERM');
      await once(demo, 'exit');
    }
    rmSync(DATA_DIR, { recursive: true, force: true });
  }
  expect(demo.exitCode).toBe(0);
}, 90_000);
