/**
 * Starts the platform's double and the product together and prints addresses to paste. Ctrl-C ends both. With
 * `--promos` the site promotes something of every kind.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { POSTS, postUrl } from '../doubles/tiktok/scenarios/posts.ts';
import { SHORT_LINKS } from '../doubles/tiktok/scenarios/short-links.ts';
import { startTiktokDouble } from '../doubles/tiktok/server.ts';

const WEB = fileURLToPath(new URL('../src/start/web.js', import.meta.url));
const CLI = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const PROMOTING = fileURLToPath(new URL('../site.demo.json', import.meta.url));
const READY_WITHIN_MS = 30_000;
const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.cache/demo' } = process.env;

const { promos } = parseArgs({ options: { promos: { type: 'boolean', default: false } } }).values;
const site = { ...process.env, DATA_DIR, ...(promos && { SITE_CONFIG: PROMOTING }) };
if (promos) spawnSync(process.execPath, [CLI, 'site', 'pictures'], { stdio: 'inherit', env: site });

const double = await startTiktokDouble();
const web = spawn(process.execPath, [WEB], {
  stdio: 'inherit',
  // A group of its own: Ctrl-C must reach it once, through us, since a second signal means "at once".
  detached: true,
  env: {
    ...site,
    PORT,
    HOST,
    HTTPS_PROXY: double.proxyUrl,
    NO_PROXY: '127.0.0.1,localhost',
    NODE_EXTRA_CA_CERTS: double.caFile,
  },
});
const ended = once(web, 'exit');
let leaving = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    leaving = true;
    web.kill('SIGTERM');
  });
}

process.on('exit', () => web.kill('SIGKILL'));

if (await isReady()) console.log(`\n${linkTable()}\n`);
else if (web.exitCode === null && web.signalCode === null) {
  console.error(`The product was not ready within ${READY_WITHIN_MS / 1000} s`);
  web.kill('SIGTERM');
}
const [code] = (await ended) as [number | null];
await double.close();
process.exitCode = leaving ? 0 : (code ?? 1);

/** False when the product ended before it was ready. */
async function isReady(): Promise<boolean> {
  const deadlineMs = performance.now() + READY_WITHIN_MS;
  while (web.exitCode === null && web.signalCode === null && performance.now() < deadlineMs) {
    const response = await fetch(`http://${HOST}:${PORT}/readyz`).catch((error: unknown) => {
      // Nobody listens yet; anything else is not for this loop to hide.
      if (error instanceof TypeError) return null;
      throw error;
    });
    if (response?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

function linkTable(): string {
  const shown = [
    ...POSTS.filter(({ group }) => group === 'posts' || group === 'refusals').map((scenario) => ({
      group: scenario.group as string,
      about: scenario.about,
      url: postUrl(scenario),
    })),
    ...SHORT_LINKS.slice(0, 8).map(({ about, url }) => ({ group: 'short links', about, url })),
  ];
  const width = Math.max(...shown.map(({ about }) => about.length));
  const groups = Map.groupBy(shown, ({ group }) => group);
  return [
    `Clipferry runs at http://${HOST}:${PORT}/ and sees the double in place of TikTok. Paste one of these:`,
    ...[...groups].map(
      ([group, rows]) =>
        `\n${group}\n${rows.map(({ about, url }) => `  ${about.padEnd(width)}  ${url}`).join('\n')}`,
    ),
    '\nFaults of pages, media servers and files: npm run double -- --list',
    `What the double has seen: ${double.controlUrl}/stats`,
    'Ctrl-C ends both.',
  ].join('\n');
}
