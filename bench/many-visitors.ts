/** A thousand visitors of one clip's mp3 within a second: how often the platform is read and the sound converted. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startJourney } from '../tests/support/journey.ts';
import { cpuMs, memoryMb } from './support/process-cost.ts';
import { print } from './support/report.ts';

const post = 'long-60s';
const visitors = 1000;

const journey = await startJourney();
const cpuBefore = cpuMs(journey.product.pid);
const started = performance.now();
let failures = 0;

async function ask(n: number): Promise<string | null> {
  await delay((n / visitors) * 1000);
  try {
    const response = await journey.get(await journey.href(post, 'mp3'));
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
const stats = await journey.platform.stats();
print({ what: `${visitors} visitors: failures`, value: failures, unit: 'visitors', atMost: 0 });
print({
  what: `${visitors} visitors: pages read`,
  value: stats.byPost[post]?.byKind.page ?? 0,
  unit: 'pages',
  atMost: 1,
});
print({
  what: `${visitors} visitors: conversions`,
  value: await journey.product.metric('clipferry_conversions_ended_total'),
  unit: 'conversions',
  atMost: 1,
});
print({ what: `${visitors} visitors: different files`, value: digests.size, unit: 'files', atMost: 1 });
print({
  what: `${visitors} visitors: CPU of the product for each`,
  value: (cpuMs(journey.product.pid) - cpuBefore) / visitors,
  unit: 'ms CPU',
});
print({ what: `${visitors} visitors: until the last has the file`, value: tookMs, unit: 'ms' });
print({
  what: `${visitors} visitors: memory of the product afterwards`,
  value: memoryMb(journey.product.pid),
  unit: 'MB',
});
await journey.stop();
