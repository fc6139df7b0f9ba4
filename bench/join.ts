/**
 * Joins a picture and its sound of 60 s into one file: CPU relative to relaying one file of the same size, and the
 * memory of a hundred slow concurrent downloads.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { OriginReady } from './join/origin.ts';
import type { PasserReady } from './join/passer.ts';
import { startDownloader } from './support/downloads.ts';
import { memoryMb } from './support/process-cost.ts';
import { median, print } from './support/report.ts';

const rounds = 7;
const slowDownloads = 100;
const slowMs = 15_000;

const child = (name: string): ChildProcess =>
  fork(new URL(`./join/${name}.ts`, import.meta.url), { execArgv: ['--max-semi-space-size=4'] });

const origin = child('origin');
const [ready] = (await once(origin, 'message')) as [OriginReady];

/** A separate process, free of leftovers from earlier measurements. */
async function startPasser(): Promise<{ pid: number; port: number; stop(): void }> {
  const passer = child('passer');
  passer.send(ready);
  const [{ port }] = (await once(passer, 'message')) as [PasserReady];
  return { pid: passer.pid ?? 0, port, stop: () => void passer.kill() };
}

const downloader = startDownloader();
const passer = await startPasser();
const joined: number[] = [];
const whole: number[] = [];
// The first round of each warms up.
for (let round = 0; round <= rounds; round++) {
  const ofJoined = await downloader.mbPerCpuSecond(passer.pid, passer.port, '/joined');
  const ofWhole = await downloader.mbPerCpuSecond(passer.pid, passer.port, '/whole');
  if (round === 0) continue;
  joined.push(1000 / ofJoined);
  whole.push(1000 / ofWhole);
}
passer.stop();
print({
  what: 'picture and sound as one file',
  value: median(joined),
  unit: 'ms of CPU for a MB',
  baseline: median(whole),
  atMost: 1.5,
});

for (const path of ['/joined', '/whole']) {
  const slow = await startPasser();
  const before = memoryMb(slow.pid);
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, memoryMb(slow.pid));
  }, 200);
  const { failures, started } = await downloader.download({
    port: slow.port,
    path,
    downloads: slowDownloads,
    atOnce: slowDownloads,
    bytesPerSecond: 100_000,
    stopAfterMs: slowMs,
  });
  clearInterval(sampling);
  slow.stop();
  const what = `${slowDownloads} slow ones of ${path}`;
  print({
    what: `${what}: failures`,
    value: failures + slowDownloads - started,
    unit: 'downloads',
    atMost: 0,
  });
  print({ what: `${what}: memory of each`, value: (peak - before) / slowDownloads, unit: 'MB', atMost: 3 });
}
downloader.stop();
origin.kill();
