/** What things cost, measured on one machine in one run. CPU in ms of one core. */
export interface Costs {
  /** A link that nobody has asked for within five minutes, and one that somebody has. */
  readonly resolveMs: number;
  readonly cachedResolveMs: number;
  readonly keptPageMs: number;
  readonly renderedPageMs: number;
  /** Bytes of a page as it is sent. */
  readonly pageKb: number;
  /** A GB of video passed through. */
  readonly videoMsPerGb: number;
  /** A sound of 60 s, made by the preferred encoder, with everything around it. */
  readonly mp3Ms: number;
  readonly m4aMs: number;
  /** Bytes of an mp3 of 60 s, and how many were fetched for it. */
  readonly mp3Mb: number;
  readonly mp3FetchedMb: number;
  /** Pages of the platform, and all bytes fetched, for a link that nobody has asked for. */
  readonly platformPages: number;
  readonly platformKb: number;
  /** Memory of an instance at rest, and what each download under way adds, in MB. */
  readonly restMb: number;
  readonly downloadMb: number;
  /** Operations on Redis; null where none was measured. */
  readonly redis: RedisOperations | null;
  /** Rows that are written for each, of many at once: views are summed up each second. Null where they were not counted. */
  readonly writes: { readonly page: number; readonly report: number } | null;
}

/** Commands on Redis for each, those of scripts included, and of an instance that does nothing, a second. */
export interface RedisOperations {
  readonly resolve: number;
  readonly cachedResolve: number;
  readonly keptPage: number;
  readonly renderedPage: number;
  /** A file that is there already, or passed through. */
  readonly download: number;
  /** A sound that has to be made. */
  readonly conversion: number;
  readonly idlePerSecond: number;
}

/** What visitors do, on an average day. Shares are from 0 to 1. */
export interface Mix {
  /** Visits for each download, and pages that each of them looks at. */
  readonly visitsPerDownload: number;
  readonly pagesPerVisit: number;
  /** Of the pages: sent from the cache. */
  readonly keptShare: number;
  /** Scripts, styles and pictures that a visit loads beside its pages. */
  readonly assetsKb: number;
  readonly linksPerDownload: number;
  /** Of links and sounds: asked for by somebody else shortly before. */
  readonly repeatedShare: number;
  /** Of the downloads; the rest are videos. */
  readonly mp3Share: number;
  readonly m4aShare: number;
  readonly photoShare: number;
  readonly videoMb: number;
  readonly photosMb: number;
  /** Mean length of a sound. */
  readonly soundS: number;
  /** How fast a visitor downloads. */
  readonly visitorMbit: number;
  /** The busiest hour against the mean of the day. */
  readonly peakFactor: number;
  /** Of the visits: agreed to statistics, and reports that their browsers send. */
  readonly agreedShare: number;
  readonly reportsPerVisit: number;
}

/** What one of each can take. */
export interface Limits {
  /** Part of a core, and of a line, that is planned to be busy at the peak. */
  readonly busyShare: number;
  readonly machineCores: number;
  readonly machineGb: number;
  /** Each way. */
  readonly machineGbit: number;
  /** Of an encoder's process. */
  readonly converterMb: number;
  readonly redisPerSecond: number;
  readonly writesPerSecond: number;
  /** Pages that the platform gives to one address. */
  readonly platformPerSecond: number;
}

/** List prices in euros a month. */
export interface Prices {
  readonly core: number;
  readonly memoryGb: number;
  /** Sent, a TB. */
  readonly trafficTb: number;
  readonly storageGb: number;
  /** A way out to the platform, beyond the first. */
  readonly address: number;
}

/** What a volume takes at its peak, in unrounded units. */
export interface Load {
  readonly downloadsPerSecond: number;
  /** Busy cores of the instances' own threads, by what they do. */
  readonly pageCores: number;
  readonly linkCores: number;
  readonly fileCores: number;
  /** Busy cores that convert. */
  readonly converterCores: number;
  readonly downloadsAtOnce: number;
  readonly instances: number;
  readonly memoryGb: number;
  readonly inGbit: number;
  readonly outGbit: number;
  readonly redisPerSecond: number | null;
  readonly writesPerSecond: number | null;
  readonly platformPerSecond: number;
  /** Sounds that are kept for an hour. */
  readonly storageGb: number;
}

/** What is bought for it. */
export interface Purchase {
  readonly cores: number;
  /** Conversions at once, at least one on each machine. */
  readonly converters: number;
  readonly machines: number;
  readonly addresses: number;
  /** Sent in a month. */
  readonly trafficTb: number;
  readonly euros: number;
}

const secondsPerDay = 86_400;
const daysPerMonth = 30.4;
const measuredSoundS = 60;
const hourS = 3600;

/** What a number of downloads a day takes in the busiest hour. */
export function loadOf(downloadsPerDay: number, costs: Costs, mix: Mix, limits: Limits): Load {
  const downloads = (downloadsPerDay / secondsPerDay) * mix.peakFactor;
  const visits = downloads * mix.visitsPerDownload;
  const pages = visits * mix.pagesPerVisit;
  const links = downloads * mix.linksPerDownload;
  const newLinks = links * (1 - mix.repeatedShare);
  const mp3s = downloads * mix.mp3Share;
  const m4as = downloads * mix.m4aShare;
  const photos = downloads * mix.photoShare;
  const videos = downloads - mp3s - m4as - photos;
  const newMp3s = mp3s * (1 - mix.repeatedShare);
  const newM4as = m4as * (1 - mix.repeatedShare);

  const soundPart = mix.soundS / measuredSoundS;
  const soundMb = costs.mp3Mb * soundPart;
  const passedMb = videos * mix.videoMb + photos * mix.photosMb;
  const fileMb = passedMb + (mp3s + m4as) * soundMb;
  const inMb =
    passedMb + (newMp3s + newM4as) * costs.mp3FetchedMb * soundPart + (newLinks * costs.platformKb) / 1000;
  const outMb = fileMb + (pages * costs.pageKb + visits * mix.assetsKb) / 1000;

  const cores = (perSecond: number, ms: number) => (perSecond * ms) / 1000;
  const pageCores =
    cores(pages * mix.keptShare, costs.keptPageMs) + cores(pages * (1 - mix.keptShare), costs.renderedPageMs);
  const linkCores = cores(newLinks, costs.resolveMs) + cores(links - newLinks, costs.cachedResolveMs);
  const fileCores = cores(fileMb / 1000, costs.videoMsPerGb);
  const converterCores = cores(newMp3s, costs.mp3Ms * soundPart) + cores(newM4as, costs.m4aMs * soundPart);
  const downloadsAtOnce = (fileMb * 8) / mix.visitorMbit;
  const inGbit = (inMb * 8) / 1000;
  const outGbit = (outMb * 8) / 1000;
  const instances = instancesFor(pageCores + linkCores + fileCores, Math.max(inGbit, outGbit), limits);
  const memoryMb =
    instances * costs.restMb +
    downloadsAtOnce * costs.downloadMb +
    (converterCores / limits.busyShare) * limits.converterMb;
  const { redis, writes } = costs;
  const reports = visits * mix.agreedShare * mix.reportsPerVisit;
  return {
    downloadsPerSecond: downloads,
    pageCores,
    linkCores,
    fileCores,
    converterCores,
    downloadsAtOnce,
    memoryGb: memoryMb / 1000,
    instances,
    inGbit,
    outGbit,
    redisPerSecond:
      redis &&
      newLinks * redis.resolve +
        (links - newLinks) * redis.cachedResolve +
        pages * mix.keptShare * redis.keptPage +
        pages * (1 - mix.keptShare) * redis.renderedPage +
        (newMp3s + newM4as) * redis.conversion +
        (downloads - newMp3s - newM4as) * redis.download +
        instances * redis.idlePerSecond,
    writesPerSecond: writes && pages * writes.page + reports * writes.report,
    platformPerSecond: newLinks * costs.platformPages,
    storageGb: ((newMp3s + newM4as) * hourS * soundMb) / 1000,
  };
}

/** An instance is one thread, encoders apart, and there is at least one on each line. @param gbit each way, the busier */
function instancesFor(busyCores: number, gbit: number, { busyShare, machineGbit }: Limits): number {
  return Math.max(1, Math.ceil(busyCores / busyShare), Math.ceil(gbit / machineGbit / busyShare));
}

/** Busy cores of a load, without and with those that convert. */
export function coresOf(load: Load): { readonly instances: number; readonly all: number } {
  const instances = load.pageCores + load.linkCores + load.fileCores;
  return { instances, all: instances + load.converterCores };
}

/** What has to be there for a load, and what it costs a month. */
export function purchaseFor(load: Load, mix: Mix, limits: Limits, prices: Prices): Purchase {
  const busy = coresOf(load);
  const cores = Math.max(1, Math.ceil(busy.all / limits.busyShare));
  const machines = Math.ceil(
    Math.max(
      cores / limits.machineCores,
      load.memoryGb / limits.machineGb,
      Math.max(load.inGbit, load.outGbit) / limits.machineGbit / limits.busyShare,
    ),
  );
  const addresses = Math.max(1, Math.ceil(load.platformPerSecond / limits.platformPerSecond));
  const meanGbit = load.outGbit / mix.peakFactor;
  const trafficTb = (meanGbit * secondsPerDay * daysPerMonth) / 8 / 1000;
  return {
    cores,
    converters: Math.max(machines, Math.ceil(load.converterCores / limits.busyShare)),
    machines,
    addresses,
    trafficTb,
    euros:
      cores * prices.core +
      load.memoryGb * prices.memoryGb +
      trafficTb * prices.trafficTb +
      load.storageGb * prices.storageGb +
      (addresses - 1) * prices.address,
  };
}
