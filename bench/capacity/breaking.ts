import { type Costs, coresOf, type Limits, type Load, loadOf, type Mix } from './model.ts';

/** One thing that a growing site has too little of at some point. */
interface Resource {
  readonly name: string;
  /** What the operator does then. */
  readonly remedy: string;
  /** The part of it that a load takes; null where it was not measured. */
  readonly share: (load: Load, limits: Limits) => number | null;
}

const resources: readonly Resource[] = [
  {
    name: 'one address to the platform',
    remedy:
      'name proxies in OUTBOUND_PROXIES, one for each multiple: the platform answers a busier address with limits, and its circuit breakers open',
    share: (load, limits) => load.platformPerSecond / limits.platformPerSecond,
  },
  {
    name: "one instance's thread",
    remedy:
      'start another instance beside it, with DATABASE_URL, SECRET_KEY and REDIS_URL in common and a balancer that hashes tickets',
    share: (load, limits) => coresOf(load).instances / limits.busyShare,
  },
  {
    name: "one machine's cores",
    remedy: 'add machines with instances of their own; see which part is the largest above',
    share: (load, limits) => coresOf(load).all / limits.busyShare / limits.machineCores,
  },
  {
    name: "one machine's memory",
    remedy: 'add machines, or allow each visitor fewer downloads at once (DOWNLOADS_AT_ONCE)',
    share: (load, limits) => load.memoryGb / limits.machineGb,
  },
  {
    name: "one machine's line",
    remedy:
      'add machines, small ones: videos pass through, so they are bought for their lines and not for their cores',
    share: (load, limits) => Math.max(load.inGbit, load.outGbit) / limits.machineGbit / limits.busyShare,
  },
  {
    name: 'one Redis',
    remedy:
      'give groups of instances a Redis each, with a balancer that keeps a visitor in one group: Redis Cluster is not supported',
    share: ({ redisPerSecond }, limits) =>
      redisPerSecond === null ? null : redisPerSecond / limits.redisPerSecond,
  },
  {
    name: 'one PostgreSQL',
    remedy:
      'turn statistics off (`statistics` of the site configuration), which are nearly all that is written, or buy a larger server',
    share: ({ writesPerSecond }, limits) =>
      writesPerSecond === null ? null : writesPerSecond / limits.writesPerSecond,
  },
];

/** A resource's limit. */
export interface Breaking {
  readonly name: string;
  readonly remedy: string;
  /** Downloads a day with which its peak is as much as one of it takes. */
  readonly downloadsPerDay: number;
}

const mostDownloadsPerDay = 1e13;
const halvings = 100;

/** What reaches the limit of one machine, one Redis, one PostgreSQL or one address, the first first. */
export function breakingPoints(costs: Costs, mix: Mix, limits: Limits): readonly Breaking[] {
  return resources
    .flatMap(({ name, remedy, share }) => {
      const shareAt = (downloads: number) => share(loadOf(downloads, costs, mix, limits), limits);
      if (shareAt(1) === null) return [];
      let [fits, tooMany] = [0, mostDownloadsPerDay];
      for (let halving = 0; halving < halvings; halving += 1) {
        const between = (fits + tooMany) / 2;
        if ((shareAt(between) ?? 0) > 1) tooMany = between;
        else fits = between;
      }
      return [{ name, remedy, downloadsPerDay: fits }];
    })
    .toSorted((one, other) => one.downloadsPerDay - other.downloadsPerDay);
}
