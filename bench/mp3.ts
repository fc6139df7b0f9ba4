/**
 * The mp3 of a 60 s clip over a link of 100 Mbit/s and 20 ms, against downloading the mp4 and converting it. Needs
 * ffmpeg.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startJourney } from '../tests/support/journey.ts';
import { startPlatform } from '../tests/support/platform.ts';
import { type ConversionCost, convertedPost, measureConversions } from './support/conversion-cost.ts';
import { cpuMs } from './support/process-cost.ts';
import { median, print } from './support/report.ts';

const soundBytes = 60 * 16_000;
const rounds = 5;

const platform = await startPlatform({ latencyMs: 20, bandwidthBps: 100e6 });
const folder = mkdtempSync(join(tmpdir(), 'clipferry-bench-'));

async function downloadThenConvert(): Promise<{ wholeMs: number; cpu: number }> {
  const journey = await startJourney({ platform });
  const href = await journey.href(convertedPost, 'mp4');
  const started = performance.now();
  const file = join(folder, 'clip.mp4');
  writeFileSync(file, Buffer.from(await (await journey.get(href)).arrayBuffer()));
  const before = cpuMs(process.pid);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', file, '-vn', '-b:a', '128k', join(folder, 'clip.mp3')]);
  const result = { wholeMs: performance.now() - started, cpu: cpuMs(process.pid) - before };
  await journey.stop();
  return result;
}

const classic = [];
for (let round = 0; round < 3; round++) classic.push(await downloadThenConvert());
const classicMs = median(classic.map(({ wholeMs }) => wholeMs));
const classicCpu = median(classic.map(({ cpu }) => cpu));

for (const { name, env } of [
  { name: 'ffmpeg', env: {} },
  { name: 'WebAssembly', env: { PATH: '/nowhere' } },
]) {
  const measured = await measureConversions(platform, 'mp3', rounds, env);
  const of = (key: keyof ConversionCost) => median(measured.map((one) => one[key]));
  print({ what: `mp3 with ${name}: first byte`, value: of('firstMs'), unit: 'ms', atMost: 200 });
  print({
    what: `mp3 with ${name}: whole file`,
    value: of('wholeMs'),
    unit: 'ms',
    baseline: classicMs,
    atMost: 0.5,
  });
  print({
    what: `mp3 with ${name}: CPU of the whole way, network included, against ffmpeg on a file that is there`,
    value: of('cpuMs'),
    unit: 'ms',
    baseline: classicCpu,
  });
  print({
    what: `mp3 with ${name}: bytes fetched, cover included`,
    value: of('fetched'),
    unit: 'bytes',
    atMost: 1.3 * soundBytes + 200_000,
  });
}
rmSync(folder, { recursive: true });
await platform.stop();
