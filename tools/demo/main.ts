/**
 * Starts the platform's double and the product together and prints addresses to paste. Ctrl-C ends both. With
 * `--promos` the site shows every kind of promotion; with `--machines 3` it runs three instances and two converters
 * behind nginx, with the given Redis, PostgreSQL and S3.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTiktokDouble } from '../../doubles/tiktok/server.ts';
import { linkTable } from './link-table.ts';
import { missingFor, startManyMachines } from './many-machines.ts';
import { isReady, startProgram } from './programs.ts';

const CLI = fileURLToPath(new URL('../../src/app/cli/main.ts', import.meta.url));
const PROMOTING = fileURLToPath(new URL('../../site.demo.json', import.meta.url));
const CONVERTERS = 2;
const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.cache/demo' } = process.env;

const { promos, machines } = parseArgs({
  options: { promos: { type: 'boolean', default: false }, machines: { type: 'string', default: '1' } },
}).values;
if (!/^[1-9]$/.test(machines)) fail(`--machines ${machines}: must be a number from 1 to 9`);
const missing = machines === '1' ? [] : missingFor(process.env);
if (missing.length > 0) fail(missing.join('\n'));

const site = { ...process.env, DATA_DIR, ...(promos && { SITE_CONFIG: PROMOTING }) };
if (promos) spawnSync(process.execPath, [CLI, 'site', 'pictures'], { stdio: 'inherit', env: site });

const double = await startTiktokDouble();
const env = {
  ...site,
  HTTPS_PROXY: double.proxyUrl,
  NO_PROXY: '127.0.0.1,localhost',
  NODE_EXTRA_CA_CERTS: double.caFile,
};
const code = await (machines === '1' ? runOne() : runMany(Number(machines)));
await double.close();
process.exitCode = code;

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Calls back on Ctrl-C, or on a request to stop. */
function onStopRequest(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
}

function announce(about: string): void {
  console.log(
    [
      `\n${about}`,
      'The double takes the place of TikTok. Paste one of these:',
      linkTable(),
      'Faults of pages, media servers and files: npm run double -- --list',
      `What the double has seen: ${double.controlUrl}/stats`,
      'Ctrl-C ends everything.\n',
    ].join('\n\n'),
  );
}

async function runOne(): Promise<number> {
  const origin = `http://${HOST}:${PORT}`;
  const web = startProgram('web', { ...env, PORT, HOST });
  let isEnding = false;
  onStopRequest(() => {
    isEnding = true;
    web.stop();
  });
  const hasEnded = () => web.child.exitCode !== null || web.child.signalCode !== null;
  if (await isReady(origin, hasEnded)) announce(`Clipferry runs at ${origin}/.`);
  else if (!hasEnded()) {
    console.error('The product was not ready in time');
    web.stop();
  }
  const code = await web.ended;
  return isEnding ? 0 : (code ?? 1);
}

async function runMany(instances: number): Promise<number> {
  const stopRequested = new Promise<void>((resolve) => onStopRequest(resolve));
  try {
    const many = await startManyMachines({
      instances,
      converters: CONVERTERS,
      host: HOST,
      port: Number(PORT),
      dataFolder: DATA_DIR,
      env,
    });
    announce(many.about);
    await stopRequested;
    await many.stop();
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}
