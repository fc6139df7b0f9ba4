import { freemem, hostname, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Core } from '../../server/feature.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { diskRoom } from '../../server/metrics/disk.ts';
import { countEvents } from '../../server/metrics/tally.ts';
import type { InstanceState } from '../../server/tally/instances.ts';
import { createRecentCounts, type RecentCounts } from '../../server/tally/recent-counts.ts';
import { openTally } from '../../stores/tally/tally.ts';
import { features } from '../features.ts';
import type { Downloader } from './downloader/downloader.ts';
import type { Stores } from './stores.ts';

/** Opens the tally, with the sums that features read. */
export async function assembleCounting({
  environment,
  configuration,
  database: { query },
  metrics,
  logger,
}: Pick<Core, 'environment' | 'configuration' | 'database' | 'metrics' | 'logger'>) {
  const audiences = features.flatMap(({ audience }) => audience?.({ environment, configuration }) ?? []);
  const recent = createRecentCounts(() => performance.now());
  const events = countEvents(metrics);
  const tally = openTally({
    ...{ query, logger, audiences, onFull: events.onFull },
    observe(subject, name, detail, times) {
      events.observe(subject, name, detail, times);
      if (subject === 'outcome' || subject === 'link') recent.add(name, detail === 'failed');
    },
  });
  const egresses = new Map(environment.OUTBOUND_PROXIES?.map(({ id, label }) => [id, label]));
  // Null where no feature reads the operator's sums.
  const watch = audiences.includes('operator')
    ? (await import('../../server/tally/instances.ts')).watchInstance({
        query,
        tally,
        logger,
        recent,
        egresses,
      })
    : null;
  return { tally, recent, watch };
}

/** The parts of an instance that its heartbeat reports. */
interface InstanceParts {
  readonly parts: Pick<ServerDependencies, 'resolver' | 'runningDownloads' | 'absent' | 'site' | 'egresses'>;
  readonly downloader: Pick<Downloader, 'conversionsNow'>;
  readonly recent: Pick<RecentCounts, 'within' | 'last'>;
  readonly stores: Pick<Stores, 'redis' | 'objects'>;
}

/** Makes what reads how this instance fares. */
export function stateReader(
  { environment: { DATA_DIR, CONVERSIONS_WAITING }, database: { engine } }: Core,
  { parts, downloader, recent, stores: { redis, objects } }: InstanceParts,
): () => Promise<InstanceState> {
  let loop = performance.eventLoopUtilization();
  return async () => {
    const before = loop;
    loop = performance.eventLoopUtilization();
    const egresses = parts.egresses.states();
    const { rss, heapUsed } = process.memoryUsage();
    const builtAt = Number.parseInt(parts.site.version, 10);
    return {
      host: hostname(),
      version: packageFile.version,
      builtAt: Number.isFinite(builtAt) ? builtAt : null,
      node: process.version,
      database: engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      absent: [...parts.absent()],
      shared: [...(redis === null ? [] : ['Redis']), ...(objects === null ? [] : [objects.name])],
      breakers: parts.resolver.states().map(({ name, state, reads }) => ({ name, state, reads })),
      fiveMinutes: [...recent.within(300_000)],
      lately: [...recent.last(50)],
      egresses: { all: egresses.length, resting: egresses.filter(({ restsForMs }) => restsForMs > 0).length },
      conversions: { ...downloader.conversionsNow(), mostWaiting: CONVERSIONS_WAITING },
      downloads: parts.runningDownloads.size,
      disk: await diskRoom(DATA_DIR),
      memory: { process: rss, heap: heapUsed, free: freemem(), total: totalmem() },
      busy: performance.eventLoopUtilization(loop, before).utilization,
    };
  };
}
