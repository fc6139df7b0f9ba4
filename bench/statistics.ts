/**
 * 500 reports a second, in lists as the site's own script sends them and one by one: the part of a core that they take
 * from pages and links, and what a kept page and a link that was asked before wait for beside them; on both databases.
 * They are measured beside visitors, who send them: in a process that only wakes up for reports each costs twice as
 * much, since nothing of what it needs is in the processor's caches any more.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { engines, openFreshDatabase } from '../src/stores/contracts/testing/databases.ts';
import { startJourney } from '../tests/support/journey.ts';
import { siteFile } from '../tests/support/site-file.ts';
import { clientOf, type OfferedRequest, offered } from './support/offered.ts';
import { cpuMs } from './support/process-cost.ts';
import { median, print } from './support/report.ts';
import { reports } from './support/reports.ts';

const perSecond = 500;
/** Fewer than those who send so many reports would ask for. */
const visitsPerSecond = 200;
const durationMs = 4000;
const rounds = 5;
const mostLost = 0.05;

for (const engine of engines) {
  const fresh = await openFreshDatabase(engine);
  const { DATA_DIR, ...env } = fresh.place.environment;
  const journey = await startJourney({
    env: { SITE_CONFIG: siteFile({ statistics: true }), REPORTS_PER_MINUTE: '1000000', ...env },
    ...(DATA_DIR !== undefined && { dataFolder: DATA_DIR }),
  });
  const { origin, pid } = journey.product;
  const reporter = clientOf(origin, 16);
  const asker = clientOf(origin, 4);
  const link = JSON.stringify({ url: journey.platform.link('ordinary') });
  const asked: Readonly<Record<string, OfferedRequest>> = {
    'kept page': { path: '/tiktok-downloader' },
    'known link': { path: '/api/resolve', method: 'POST', body: link },
  };
  const send = (each: number) => offered(reporter, perSecond / each, durationMs, reports(each));
  const visits = Object.values(asked);
  let count = 0;
  const visit = (): OfferedRequest => {
    count += 1;
    return visits[count % visits.length] as OfferedRequest;
  };
  /** The product's CPU for visitors, and for what is done besides; in parts of a core. */
  const shareBeside = async (work: () => Promise<unknown>) => {
    const before = cpuMs(pid);
    await Promise.all([offered(asker, visitsPerSecond, durationMs, visit), work()]);
    // What was taken last is written within the next second.
    await pause(1200);
    return (cpuMs(pid) - before) / durationMs;
  };

  // Until the articles are read and the code is compiled: the first reports after a start cost more.
  for (let round = 0; round < 3; round += 1) await shareBeside(() => send(12));
  for (const each of [12, 1]) {
    const more: number[] = [];
    let sent = 0;
    let good = 0;
    for (let round = 0; round < rounds; round += 1) {
      const alone = await shareBeside(async () => {});
      const beside = await shareBeside(async () => {
        const answers = await send(each);
        sent += answers.length;
        good += answers.filter(({ status }) => status === 200).length;
      });
      more.push(beside - alone);
    }
    print({
      what: `${engine.name}: ${perSecond} reports a second, ${each} in a request (${good} of ${sent} answered), beside ${visitsPerSecond} pages and links`,
      value: median(more),
      unit: 'of a core',
      ...(each > 1 && { atMost: mostLost }),
    });
  }

  for (const [what, one] of Object.entries(asked)) {
    const wait = async () => median((await offered(asker, 200, 2000, () => one)).map(({ ms }) => ms));
    const alone: number[] = [];
    const beside: number[] = [];
    await wait();
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await wait());
      const flood = offered(reporter, perSecond / 12, 2000, reports(12));
      beside.push(await wait());
      await flood;
    }
    print({
      what: `${engine.name}: ${what}, median wait beside ${perSecond} reports a second`,
      value: median(beside),
      unit: 'ms',
      baseline: median(alone),
    });
  }
  await Promise.all([reporter.close(), asker.close()]);
  await journey.stop();
  await fresh[Symbol.asyncDispose]();
}
