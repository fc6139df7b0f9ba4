/**
 * An mp4 through the whole server: bytes per CPU second relative to a bare pipe of the same file, and the memory of 500
 * slow concurrent downloads.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startJourney } from '../tests/support/journey.ts';
import { startDownloader } from './support/downloads.ts';
import type { BareReady, BareTask } from './support/pass-through-bare.ts';
import { memoryMb } from './support/process-cost.ts';
import { median, print } from './support/report.ts';

const post = 'long-60s';
const rounds = 5;
const slowDownloads = 500;
const slowMs = 20_000;

const downloader = startDownloader();
const { mbPerCpuSecond } = downloader;

const journey = await startJourney();
const { pid } = journey.product;
const port = Number(new URL(journey.product.origin).port);
const path = await journey.href(post, 'mp4');

const { HTTPS_PROXY, NODE_EXTRA_CA_CERTS } = journey.platform.environment;
const bare = fork(new URL('./support/pass-through-bare.ts', import.meta.url), { execArgv: [] });
bare.send({
  page: journey.platform.link(post),
  httpsProxy: HTTPS_PROXY,
  caFile: NODE_EXTRA_CA_CERTS,
} satisfies BareTask);
const [{ port: barePort }] = (await once(bare, 'message')) as [BareReady];

const ours: number[] = [];
const theirs: number[] = [];
// The first round of each warms up.
for (let round = 0; round <= rounds; round++) {
  const passed = await mbPerCpuSecond(pid, port, path);
  const piped = await mbPerCpuSecond(bare.pid ?? 0, barePort, '/');
  if (round > 0) {
    ours.push(passed);
    theirs.push(piped);
  }
}
bare.kill();
print({
  what: 'mp4 through the whole server',
  value: median(ours),
  unit: 'MB per CPU second',
  baseline: median(theirs),
  atLeast: 0.9,
});
await journey.stop();

// A fresh product, free of earlier downloads' memory. It is its second start, as nearly all are: the first one imports
// the bundled articles.
const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-bench-'));
await (await startJourney({ dataFolder })).stop();
const slow = await startJourney({ dataFolder });
const slowPath = await slow.href(post, 'mp4');
const before = memoryMb(slow.product.pid);
let peak = before;
const sampling = setInterval(() => {
  peak = Math.max(peak, memoryMb(slow.product.pid));
}, 200);
const report = await downloader.download({
  port: Number(new URL(slow.product.origin).port),
  path: slowPath,
  downloads: slowDownloads,
  atOnce: slowDownloads,
  bytesPerSecond: 50_000,
  stopAfterMs: slowMs,
});
clearInterval(sampling);
downloader.stop();
const { transfers } = await slow.platform.stats();
const what = `${slowDownloads} slow downloads`;
print({
  what: `${what}: most at once on the platform's side`,
  value: transfers.most,
  unit: 'transfers',
});
print({ what: `${what}: failures`, value: report.failures, unit: 'downloads', atMost: 0 });
print({ what: `${what}: started`, value: report.started, unit: 'downloads', atLeast: slowDownloads });
print({ what: `${what}: memory at most`, value: peak, unit: 'MB', atMost: 250 });
print({ what: 'memory before', value: before, unit: 'MB' });
await slow.stop();
rmSync(dataFolder, { recursive: true });
