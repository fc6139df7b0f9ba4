import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Journey, startJourney } from '../../tests/support/journey.ts';
import { numberedId, type PlatformProcess, startPlatform } from '../../tests/support/platform.ts';
import { startProduct } from '../../tests/support/product.ts';
import { siteFile } from '../../tests/support/site-file.ts';
import { convertedPost, measureConversions } from '../support/conversion-cost.ts';
import { downloadsOfRound, startDownloader } from '../support/downloads.ts';
import { inTurns } from '../support/in-turns.ts';
import { load } from '../support/load.ts';
import { clientOf } from '../support/offered.ts';
import { cpuMs, memoryMb } from '../support/process-cost.ts';
import { median } from '../support/report.ts';
import { reports } from '../support/reports.ts';
import { type CountedServer, countDatabase, countRedis } from './counted-servers.ts';
import type { Costs, RedisOperations } from './model.ts';

/** Until the compiler has seen everything. */
const warmUp = 600;
const links = 400;
const cachedLinks = 1500;
const atOnce = 4;
const pageRounds = 9;
const keptPages = 1000;
const renderedPages = 200;
const videoRounds = 3;
const conversionRounds = 4;
const slowDownloads = 200;
const slowMs = 8000;
const idleMs = 3000;
const reportRequests = 100;
const reportsEach = 12;

const path = '/tiktok-downloader';
/** Of a visitor who has been here before. */
const headers = {
  'accept-encoding': 'gzip, br',
  cookie: 'sidebarAB=a; resourceBannerAB=b',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
};

/** What the platform limits by address; media come from other servers. */
const pageKinds = ['page', 'player', 'embed', 'oembed', 'short-link'] as const;

/** Does something so many times. @returns what was counted for each; 0 where nothing counts */
async function countFor(
  server: CountedServer | null,
  times: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = (await server?.count()) ?? 0;
  await work();
  return (((await server?.count()) ?? 0) - before) / times;
}

/** CPU of a process while something is done, in ms. */
async function cpuFor(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid);
  await work();
  return cpuMs(pid) - before;
}

type LinkCosts = Pick<Costs, 'resolveMs' | 'cachedResolveMs' | 'platformPages' | 'platformKb'> & {
  readonly redis: Pick<RedisOperations, 'resolve' | 'cachedResolve'>;
};

async function measureLinks(journey: Journey, redis: CountedServer | null): Promise<LinkCosts> {
  const { platform, product } = journey;
  const resolve = async (n: number) => {
    const { status } = await journey.resolve(`https://www.tiktok.com/@ferry.captain/video/${numberedId(n)}`);
    if (status !== 200) throw new Error(`answered ${status}`);
  };
  await inTurns(warmUp, atOnce, resolve);
  await platform.reset();
  let resolveMs = 0;
  const resolveOperations = await countFor(redis, links, async () => {
    resolveMs = await cpuFor(product.pid, () => inTurns(links, atOnce, (n) => resolve(warmUp + n)));
  });
  const { byKind, bytesSent } = await platform.stats();
  const pages = pageKinds.reduce((sum, kind) => sum + (byKind[kind] ?? 0), 0);
  let cachedMs = 0;
  const again = () => resolve(warmUp);
  await inTurns(warmUp, atOnce, again);
  const cachedOperations = await countFor(redis, cachedLinks, async () => {
    cachedMs = await cpuFor(product.pid, () => inTurns(cachedLinks, atOnce, again));
  });
  return {
    resolveMs: resolveMs / links,
    cachedResolveMs: cachedMs / cachedLinks,
    platformPages: pages / links,
    platformKb: bytesSent / links / 1000,
    redis: { resolve: resolveOperations, cachedResolve: cachedOperations },
  };
}

async function pageMs(server: { origin: string; pid: number }, count: number) {
  await load(server, count, () => path, headers);
  const rounds: number[] = [];
  let bytes = 0;
  for (let round = 0; round < pageRounds; round += 1) {
    const { cpuUs, bytes: ofPage } = await load(server, count, () => path, headers);
    rounds.push(cpuUs / 1000);
    bytes = ofPage;
  }
  return { ms: median(rounds), kb: bytes / 1000 };
}

type PageCosts = Pick<Costs, 'keptPageMs' | 'renderedPageMs' | 'pageKb'> & {
  readonly redis: Pick<RedisOperations, 'keptPage' | 'renderedPage'>;
};

async function measurePages({ product }: Journey, redis: CountedServer | null): Promise<PageCosts> {
  const { locales } = JSON.parse(readFileSync('site.config.json', 'utf8')) as { locales: string[] };
  // Pages that nobody has looked at: they are rendered and kept.
  const fresh = locales.filter((locale) => locale !== 'en').map((locale) => `/${locale}${path}`);
  const renderedOperations = await countFor(redis, fresh.length, async () => {
    for (const page of fresh) await (await fetch(product.origin + page, { headers })).arrayBuffer();
  });
  let kept = { ms: 0, kb: 0 };
  const keptOperations = await countFor(redis, keptPages * (pageRounds + 1), async () => {
    kept = await pageMs(product, keptPages);
  });
  const uncached = await startProduct({ env: { PAGE_CACHE: '0' } });
  const rendered = await pageMs(uncached, renderedPages);
  await uncached.stop();
  return {
    keptPageMs: kept.ms,
    pageKb: kept.kb,
    renderedPageMs: rendered.ms,
    redis: { keptPage: keptOperations, renderedPage: renderedOperations },
  };
}

async function measureWrites({ product }: Journey, database: CountedServer | null): Promise<Costs['writes']> {
  if (database === null) return null;
  const page = await countFor(database, keptPages, () => load(product, keptPages, () => path, headers));
  const client = clientOf(product.origin, atOnce);
  const next = reports(reportsEach);
  const report = await countFor(database, reportRequests * reportsEach, () =>
    inTurns(reportRequests, atOnce, async () => {
      const { status } = await client.ask(next());
      if (status >= 300) throw new Error(`a report was answered with ${status}`);
    }),
  );
  await client.close();
  return { page, report };
}

async function measureConversionCosts(platform: PlatformProcess) {
  const mp3 = await measureConversions(platform, 'mp3', conversionRounds);
  const m4a = await measureConversions(platform, 'm4a', conversionRounds);
  return {
    mp3Ms: median(mp3.map((one) => one.cpuMs)),
    m4aMs: median(m4a.map((one) => one.cpuMs)),
    mp3Mb: median(mp3.map(({ bytes }) => bytes)) / 1e6,
    mp3FetchedMb: median(mp3.map(({ fetched }) => fetched)) / 1e6,
  };
}

/** Memory of a site that was started before, at rest and with many slow downloads. */
async function measureMemory(platform: PlatformProcess): Promise<Pick<Costs, 'restMb' | 'downloadMb'>> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-capacity-'));
  // The first start reads the articles that come along.
  await (await startJourney({ platform, dataFolder })).stop();
  const journey = await startJourney({ platform, dataFolder });
  const { pid, origin } = journey.product;
  const slowPath = await journey.href(convertedPost, 'mp4');
  const restMb = memoryMb(pid);
  let peakMb = restMb;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, memoryMb(pid));
  }, 200);
  const downloader = startDownloader();
  const { started, failures } = await downloader.download({
    port: Number(new URL(origin).port),
    path: slowPath,
    downloads: slowDownloads,
    atOnce: slowDownloads,
    bytesPerSecond: 50_000,
    stopAfterMs: slowMs,
  });
  clearInterval(sampling);
  downloader.stop();
  await journey.stop();
  rmSync(dataFolder, { recursive: true });
  if (failures > 0) throw new Error(`${failures} downloads failed`);
  return { restMb, downloadMb: (peakMb - restMb) / started };
}

async function measureVideos({ product, href }: Journey, redis: CountedServer | null) {
  const downloader = startDownloader();
  const video = await href(convertedPost, 'mp4');
  const port = Number(new URL(product.origin).port);
  const measured: number[] = [];
  const download = await countFor(redis, (videoRounds + 1) * downloadsOfRound, async () => {
    // The first round warms up.
    for (let round = 0; round <= videoRounds; round += 1)
      measured.push(await downloader.mbPerCpuSecond(product.pid, port, video));
  });
  downloader.stop();
  return { videoMsPerGb: 1e6 / median(measured.slice(1)), redis: { download } };
}

/** Measures everything, with Redis and PostgreSQL where they are there. @param told of each step */
export async function measureCosts(told: (step: string) => void): Promise<Costs> {
  const [platform, redis, database] = await Promise.all([startPlatform(), countRedis(), countDatabase()]);
  try {
    return await measureWith(platform, redis, database, told);
  } finally {
    await Promise.all([platform.stop(), redis?.close(), database?.close()]);
  }
}

async function measureWith(
  platform: PlatformProcess,
  redis: CountedServer | null,
  database: CountedServer | null,
  told: (step: string) => void,
): Promise<Costs> {
  const journey = await startJourney({
    platform,
    env: {
      RESOLVES_PER_MINUTE: '100000',
      REPORTS_PER_MINUTE: '100000',
      LOG_LEVEL: 'info',
      SITE_CONFIG: siteFile({ statistics: true }),
      SECRET_KEY: 'the same on all instances, and long enough',
      ...redis?.environment,
      ...database?.environment,
    },
  });
  told('links');
  const ofLinks = await measureLinks(journey, redis);
  told('pages');
  const ofPages = await measurePages(journey, redis);
  told('videos');
  const ofVideos = await measureVideos(journey, redis);
  told('an idle instance and one conversion');
  const idlePerSecond = await countFor(redis, idleMs / 1000, () => pause(idleMs));
  const conversion = await countFor(redis, 1, async () => {
    await (await journey.get(await journey.href(convertedPost, 'mp3'))).arrayBuffer();
  });
  told('rows that are written');
  const writes = await measureWrites(journey, database);
  await journey.stop();
  told('conversions');
  const ofConversions = await measureConversionCosts(platform);
  told('memory');
  const ofMemory = await measureMemory(platform);
  return {
    ...ofLinks,
    ...ofPages,
    ...ofConversions,
    ...ofMemory,
    videoMsPerGb: ofVideos.videoMsPerGb,
    redis: redis && {
      ...ofLinks.redis,
      ...ofPages.redis,
      ...ofVideos.redis,
      conversion,
      idlePerSecond,
    },
    writes,
  };
}
