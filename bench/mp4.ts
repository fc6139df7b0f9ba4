/** 500 slow downloads of an mp4 at once through the whole server: memory of the product, and failures. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { startJourney } from '../tests/support/journey.ts';
import type { ClientReport, ClientTask } from './mp4-pass-through/client.ts';
import { memoryMb } from './support/process-cost.ts';
import { print } from './support/report.ts';

const downloads = 500;
const lastsMs = 20_000;

const journey = await startJourney();
const { origin, pid } = journey.product;
const path = await journey.href('long-60s', 'mp4');
const before = memoryMb(pid);
let peak = before;
const sampling = setInterval(() => {
  peak = Math.max(peak, memoryMb(pid));
}, 200);

const client: ChildProcess = fork(new URL('./mp4-pass-through/client.ts', import.meta.url), { execArgv: [] });
client.send({
  port: Number(new URL(origin).port),
  path,
  downloads,
  atOnce: downloads,
  bytesPerSecond: 50_000,
  stopAfterMs: lastsMs,
} satisfies ClientTask);
const [report] = (await once(client, 'message')) as [ClientReport];
clearInterval(sampling);
client.kill();

const { transfers } = await journey.platform.stats();
print({
  what: `${downloads} slow downloads: most at once on the platform's side`,
  value: transfers.most,
  unit: 'transfers',
  atLeast: downloads,
});
print({
  what: `${downloads} slow downloads: failures`,
  value: report.failures,
  unit: 'downloads',
  atMost: 0,
});
print({
  what: `${downloads} slow downloads: started`,
  value: report.started,
  unit: 'downloads',
  atLeast: downloads,
});
print({ what: `${downloads} slow downloads: memory at most`, value: peak, unit: 'MB', atMost: 250 });
print({ what: 'memory before', value: before, unit: 'MB' });
await journey.stop();
