/**
 * A thousand visitors request the mp3 of one clip within a second: counts the platform's readings and the conversions.
 * `--machines` spreads them over three instances with two converters.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareInstances } from '../tests/support/instances.ts';
import { type Journey, startJourney } from '../tests/support/journey.ts';
import type { RunningProduct } from '../tests/support/product.ts';
import { cpuMs, memoryMb } from './support/process-cost.ts';
import { print } from './support/report.ts';

const post = 'long-60s';
const visitors = 1000;

interface Site {
  readonly journeys: readonly Journey[];
  /** The programs that convert sounds. */
  readonly makers: readonly RunningProduct[];
  stop(): Promise<void>;
}

async function startOne(): Promise<Site> {
  const journey = await startJourney();
  return { journeys: [journey], makers: [journey.product], stop: () => journey.stop() };
}

async function startMany(): Promise<Site> {
  const instances = await prepareInstances();
  const env = { CONVERSIONS: '0', TRUST_PROXY: '127.0.0.1' };
  const journeys = await Promise.all([instances.start(env), instances.start(env), instances.start(env)]);
  const makers = await Promise.all([instances.startConverter(), instances.startConverter()]);
  return { journeys, makers, stop: () => instances.stop() };
}

const { machines } = parseArgs({ options: { machines: { type: 'boolean', default: false } } }).values;
const { journeys, makers, stop } = await (machines ? startMany() : startOne());
const programs = [...new Set([...journeys.map(({ product }) => product), ...makers])];
const cpu = () => programs.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
const cpuBefore = cpu();
const started = performance.now();
let failures = 0;

/** Resolves on one instance and saves from the next. */
async function ask(n: number): Promise<string | null> {
  await delay((n / visitors) * 1000);
  const [one, next] = [n, n + 1].map((at) => journeys[at % journeys.length] as Journey) as [Journey, Journey];
  try {
    const response = await next.get(await one.href(post, 'mp3'));
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    return createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex');
  } catch (error) {
    failures += 1;
    console.error(String(error));
    return null;
  }
}

const digests = new Set(await Promise.all(Array.from({ length: visitors }, (_, n) => ask(n))));
const tookMs = performance.now() - started;
const ended = await Promise.all(makers.map((maker) => maker.metric('clipferry_conversions_ended_total')));
const stats = await journeys[0]?.platform.stats();
const memory = Math.max(...programs.map(({ pid }) => memoryMb(pid)));
const whose = `${visitors} visitors${machines ? ' of three instances' : ''}`;
print({ what: `${whose}: failures`, value: failures, unit: 'visitors', atMost: 0 });
print({
  what: `${whose}: pages read`,
  value: stats?.byPost[post]?.byKind.page ?? 0,
  unit: 'pages',
  atMost: 1,
});
print({
  what: `${whose}: conversions`,
  value: ended.reduce((sum, count) => sum + count, 0),
  unit: 'conversions',
  atMost: 1,
});
print({ what: `${whose}: different files`, value: digests.size, unit: 'files', atMost: 1 });
print({
  what: `${whose}: CPU of the product for each`,
  value: (cpu() - cpuBefore) / visitors,
  unit: 'ms CPU',
});
print({ what: `${whose}: until the last has the file`, value: tookMs, unit: 'ms' });
print({ what: `${whose}: memory of the largest program afterwards`, value: memory, unit: 'MB' });
await stop();
