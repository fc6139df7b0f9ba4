import type { Costs, Limits, Mix, Prices } from '../model.ts';

/** Figures that are easy to reckon with: a download a second is ten thousand times 8.64 a day. */
export const costs: Costs = {
  resolveMs: 10,
  cachedResolveMs: 1,
  keptPageMs: 1,
  renderedPageMs: 10,
  pageKb: 10,
  videoMsPerGb: 1000,
  mp3Ms: 1000,
  m4aMs: 100,
  mp3Mb: 1,
  mp3FetchedMb: 2,
  platformPages: 1,
  platformKb: 100,
  restMb: 100,
  downloadMb: 0.1,
  redis: {
    resolve: 10,
    cachedResolve: 5,
    keptPage: 0,
    renderedPage: 20,
    download: 4,
    conversion: 10,
    idlePerSecond: 1,
  },
  writes: { page: 0.1, report: 1 },
};

export const mix: Mix = {
  visitsPerDownload: 2,
  pagesPerVisit: 2,
  keptShare: 0.5,
  assetsKb: 100,
  linksPerDownload: 1,
  repeatedShare: 0.5,
  mp3Share: 0.2,
  m4aShare: 0.1,
  photoShare: 0.1,
  videoMb: 10,
  photosMb: 5,
  soundS: 60,
  visitorMbit: 8,
  peakFactor: 2,
  agreedShare: 0.5,
  reportsPerVisit: 10,
};

export const limits: Limits = {
  busyShare: 0.5,
  machineCores: 4,
  machineGb: 1,
  machineGbit: 1,
  converterMb: 50,
  redisPerSecond: 1000,
  writesPerSecond: 1000,
  platformPerSecond: 2,
};

export const prices: Prices = { core: 10, memoryGb: 1, trafficTb: 1, storageGb: 0.1, address: 5 };

/** With the peak factor above, ten downloads a second in the busiest hour. */
export const tenASecond = 432_000;
