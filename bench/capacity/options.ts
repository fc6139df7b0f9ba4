import { parseArgs } from 'node:util';
import type { Limits, Mix, Prices } from './model.ts';

interface Option {
  readonly usual: number;
  readonly what: string;
  /** From 0 to 1. */
  readonly isShare?: boolean;
  /** It is divided by. */
  readonly isPositive?: boolean;
}

/** Every option with its unit; those of prices are list prices of 2026 for a plain host in the EU. */
const mixOptions = {
  visitsPerDownload: { usual: 1.5, what: 'visits for each download' },
  pagesPerVisit: { usual: 1.5, what: 'pages that a visit looks at' },
  keptShare: { usual: 0.97, what: 'of the pages: sent from the cache', isShare: true },
  assetsKb: { usual: 80, what: 'kB of scripts and styles that a visit loads' },
  linksPerDownload: { usual: 1.2, what: 'links asked for, for each download' },
  repeatedShare: { usual: 0.3, what: 'of links and sounds: had by another shortly before', isShare: true },
  mp3Share: { usual: 0.2, what: 'of the downloads: mp3', isShare: true },
  m4aShare: { usual: 0.02, what: 'of the downloads: m4a', isShare: true },
  photoShare: { usual: 0.05, what: 'of the downloads: photos', isShare: true },
  videoMb: { usual: 5, what: 'MB of a video' },
  photosMb: { usual: 2, what: 'MB of the photos of a post' },
  soundS: { usual: 30, what: 'seconds of a sound' },
  visitorMbit: { usual: 10, what: 'Mbit/s of a visitor', isPositive: true },
  peakFactor: { usual: 2.5, what: 'the busiest hour, against the mean of the day', isPositive: true },
  agreedShare: { usual: 0.5, what: 'of the visits: agreed to statistics', isShare: true },
  reportsPerVisit: { usual: 12, what: 'reports that a browser sends on a visit that agreed' },
} satisfies Record<keyof Mix, Option>;

const limitOptions = {
  busyShare: {
    usual: 0.6,
    what: 'of a core, and of a line: planned to be busy at the peak',
    isShare: true,
    isPositive: true,
  },
  machineCores: { usual: 16, what: 'cores of a machine', isPositive: true },
  machineGb: { usual: 32, what: 'GB of memory of a machine', isPositive: true },
  machineGbit: { usual: 1, what: 'Gbit/s of a machine, each way', isPositive: true },
  converterMb: { usual: 60, what: 'MB of an encoder', isPositive: true },
  redisPerSecond: { usual: 80_000, what: 'operations a second of one Redis', isPositive: true },
  writesPerSecond: { usual: 10_000, what: 'rows a second that one PostgreSQL writes', isPositive: true },
  platformPerSecond: {
    usual: 2,
    what: 'pages a second that the platform gives to one address (a guess)',
    isPositive: true,
  },
} satisfies Record<keyof Limits, Option>;

const priceOptions = {
  core: { usual: 6, what: 'euros a month for a core' },
  memoryGb: { usual: 1.5, what: 'euros a month for a GB of memory' },
  trafficTb: { usual: 1, what: 'euros for a TB sent' },
  storageGb: { usual: 0.02, what: 'euros a month for a GB in S3' },
  address: { usual: 1, what: 'euros a month for a further address to the platform' },
} satisfies Record<keyof Prices, Option>;

const flagOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Reads options of the form `--peak-factor 3`. @throws Error for one that is no number, or unknown */
export function readOptions(args: readonly string[]): { mix: Mix; limits: Limits; prices: Prices } {
  const all: Record<string, Option> = { ...mixOptions, ...limitOptions, ...priceOptions };
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(Object.keys(all).map((name) => [flagOf(name), { type: 'string' as const }])),
  });
  function readGroup<Name extends string>(options: Record<Name, Option>): Record<Name, number> {
    const entries = (Object.entries(options) as [Name, Option][]).map(([name, option]) => {
      const { usual, isShare = false, isPositive = false } = option;
      const given = values[flagOf(name)];
      const value = given === undefined ? usual : Number(given);
      const most = isShare ? 1 : Number.MAX_VALUE;
      if (given === '' || !(value >= 0 && value <= most && (value > 0 || !isPositive)))
        throw new Error(
          `--${flagOf(name)} must be ${isShare ? 'a share of 1' : 'a number'}${isPositive ? ', and not 0' : ''}`,
        );
      return [name, value] as const;
    });
    return Object.fromEntries(entries) as Record<Name, number>;
  }
  const read = {
    mix: readGroup(mixOptions),
    limits: readGroup(limitOptions),
    prices: readGroup(priceOptions),
  };
  const { mp3Share, m4aShare, photoShare } = read.mix;
  if (mp3Share + m4aShare + photoShare > 1)
    throw new Error('the shares of mp3, m4a and photos are more than all');
  return read;
}

/** All options, one a line, with what holds in this run. */
export function describeOptions(read: { mix: Mix; limits: Limits; prices: Prices }): readonly string[] {
  const values: Record<string, number> = { ...read.mix, ...read.limits, ...read.prices };
  return Object.entries({ ...mixOptions, ...limitOptions, ...priceOptions }).map(
    ([name, { what }]) => `  --${`${flagOf(name)} ${values[name]}`.padEnd(30)} ${what}`,
  );
}
