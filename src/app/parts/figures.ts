import { freemem, hostname, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Environment } from '../../process/environment.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { Figures } from '../../web/figures/figures.ts';
import type { InstanceState } from '../../web/figures/instance-store.ts';
import { diskRoom } from '../../web/metrics/disk.ts';
import type { ServerDependencies } from '../../web/server/parts.ts';
import type { Downloader } from './downloader/downloader.ts';

/** The parts of an instance that its heartbeat reports. */
interface InstanceParts {
  readonly parts: Pick<ServerDependencies, 'resolver' | 'runningDownloads' | 'absent' | 'site' | 'egresses'>;
  readonly downloader: Pick<Downloader, 'conversionsNow'>;
  readonly sharesRedis: boolean;
  /** Name of the object store; null without one. */
  readonly objects: string | null;
}

/** Records figures and publishes this instance's health. */
interface AssembledFigures {
  readonly recorder: Figures;
  publish(told: InstanceParts): void;
}

/** Somebody looks at them: the desk, or alarms. */
const isWanted = ({ OPERATOR_PASSWORD, ALARM_WEBHOOK_URL, ALARM_MAIL }: Environment): boolean =>
  OPERATOR_PASSWORD !== undefined || ALARM_WEBHOOK_URL !== undefined || ALARM_MAIL !== undefined;

/** Opens what sums up for the operator. @returns null where nobody looks at it: nothing is loaded then */
export async function assembleFigures(
  environment: Environment,
  { query, engine }: Database,
  metrics: Registry,
  logger: Logger,
): Promise<AssembledFigures | null> {
  if (!isWanted(environment)) return null;
  const { openFigures } = await import('../../web/figures/figures.ts');
  const egresses = new Map(environment.OUTBOUND_PROXIES?.map(({ id, label }) => [id, label]));
  const recorder = openFigures({ query, metrics, logger, egresses });
  return {
    recorder,
    publish: (told) => recorder.publish(stateReader(environment, engine, told)),
  };
}

/** Reads how this instance fares. */
function stateReader(
  { DATA_DIR, CONVERSIONS_WAITING }: Environment,
  engine: Database['engine'],
  { parts, downloader, sharesRedis, objects }: InstanceParts,
): () => Promise<InstanceState> {
  let loop = performance.eventLoopUtilization();
  return async () => {
    const before = loop;
    loop = performance.eventLoopUtilization();
    const egresses = parts.egresses.states();
    const { rss, heapUsed } = process.memoryUsage();
    const builtAt = Number(parts.site.version);
    return {
      host: hostname(),
      version: packageFile.version,
      builtAt: Number.isFinite(builtAt) ? builtAt : null,
      node: process.version,
      database: engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
      absent: [...parts.absent()],
      shared: [...(sharesRedis ? ['Redis'] : []), ...(objects === null ? [] : [objects])],
      breakers: parts.resolver.states().map(({ name, state }) => ({ name, state })),
      egresses: { all: egresses.length, resting: egresses.filter(({ restsForMs }) => restsForMs > 0).length },
      conversions: { ...downloader.conversionsNow(), mostWaiting: CONVERSIONS_WAITING },
      downloads: parts.runningDownloads.size,
      disk: await diskRoom(DATA_DIR),
      memory: { process: rss, heap: heapUsed, free: freemem(), total: totalmem() },
      busy: performance.eventLoopUtilization(loop, before).utilization,
    };
  };
}
