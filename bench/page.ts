/**
 * CPU of the product for each page: cached, relative to a bare `node:http` handler that sends the same bytes; and
 * uncached.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startProduct } from '../tests/support/product.ts';
import { rawRequest } from '../tests/support/raw-request.ts';
import { load } from './support/load.ts';
import { median, print } from './support/report.ts';

/** Many short runs, interleaved: the speed of a shared machine changes within seconds. */
const rounds = 50;
const cachedCount = 1500;
const renderedCount = 300;
const path = '/tiktok-downloader';
/** For a returning visitor: only the first visit sets cookies. */
const headers = {
  'accept-encoding': 'gzip, br',
  cookie: 'sidebarAB=a; resourceBannerAB=b',
  'user-agent': 'bench',
};

const product = await startProduct();
const page = await rawRequest(product.origin, path, { headers });
const kept = await rawRequest(product.origin, path, { headers });

const bare = spawn(process.execPath, ['bench/support/bare-server.ts'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const sent = Object.fromEntries(
  Object.entries(kept.headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
);
bare.stdin.end(JSON.stringify({ headers: sent, body: kept.body.toString('base64') }));
const [port] = (await once(createInterface({ input: bare.stdout }), 'line')) as [string];
const baseline = { origin: `http://127.0.0.1:${port}`, pid: bare.pid ?? 0 };

const cached: number[] = [];
const alone: number[] = [];
await load(product, cachedCount, () => path, headers);
await load(baseline, cachedCount, () => path, headers);
for (let round = 0; round < rounds; round += 1) {
  alone.push((await load(baseline, cachedCount, () => path, headers)).cpuUs);
  cached.push((await load(product, cachedCount, () => path, headers)).cpuUs);
}
const { bytes } = await load(product, 1, () => path, headers);
print({
  what: `cached page of ${bytes} bytes`,
  value: median(cached),
  unit: 'us CPU',
  baseline: median(alone),
  atMost: 2.5,
});

const uncached = await startProduct({ env: { PAGE_CACHE: '0' } });
const rendered: number[] = [];
await load(uncached, renderedCount, () => path, headers);
for (let round = 0; round < rounds; round += 1)
  rendered.push((await load(uncached, renderedCount, () => path, headers)).cpuUs);
print({
  what: `uncached tool page (${page.body.length} bytes)`,
  value: 1_000_000 / median(rendered),
  unit: 'pages per CPU second',
  atLeast: 200,
});

bare.kill();
await Promise.all([product.stop(), uncached.stop()]);
