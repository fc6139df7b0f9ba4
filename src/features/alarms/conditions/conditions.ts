import { roomText } from '../../../server/desk/texts.ts';
import type { DiskRoom } from '../../../server/metrics/disk.ts';
import type { NamedSum } from '../../../stores/tally/tally-store.ts';
import type { SiteReading } from '../read-site.ts';
import { type Runbook, runbooks } from './runbooks.ts';

/** Something that is wrong now. */
export interface Trouble {
  /** Identifies the trouble within its condition (a strategy, a host); empty if the condition has one only. */
  readonly subject: string;
  /** One sentence with the figures. */
  readonly text: string;
}

/** When an operator is notified. `deploy/prometheus/` has the same conditions as rules. */
export interface AlarmCondition extends Runbook {
  /** Small letters and dashes. */
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  /** Time that it lasts without a break before it is told. */
  readonly lastsMs: number;
  /** Time without it after which it is over; ten minutes when left out. */
  readonly quietMs?: number;
  /** It is not told while a platform cannot be read: that is one trouble. */
  readonly isFolded?: true;
  find(site: SiteReading): readonly Trouble[];
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The bounds of all conditions; `deploy/prometheus/` has the same. */
export const bounds = {
  /** Below this share of links that led to files. */
  successShare: 0.8,
  /** Fewer requests say nothing. */
  fewestRequests: 20,
  /** Above this share of the posts that are read. */
  thinShare: 0.2,
  fewestReadings: 20,
  /** Above this share of a strategy's answers. */
  shapeShare: 0.01,
  fewestShapes: 5,
  /** A form is new for so long. */
  newShapeMs: 7 * dayMs,
  diskShare: 0.1,
  diskBytes: 2 ** 30,
  queueShare: 0.5,
  /** Times as many failed responses as usual. */
  errorFactor: 3,
  fewestErrors: 20,
} as const;

const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const sumOf = (rows: readonly { readonly total: number }[]) =>
  rows.reduce((sum, { total }) => sum + total, 0);

/** How often something of a kind succeeded and failed. */
const countsOf = (name: string, outcomes: SiteReading['outcomes']) =>
  outcomes.find(({ kind }) => kind === name) ?? { succeeded: 0, failed: 0 };

/** How platforms are written; others begin with a capital. */
const platformNames: Readonly<Record<string, string>> = { tiktok: 'TikTok' };
const nameOf = (platform: string) =>
  platformNames[platform] ?? `${platform.slice(0, 1).toUpperCase()}${platform.slice(1)}`;

/** A rule with the name and the texts of its runbook. */
const condition = (
  name: keyof typeof runbooks,
  rule: Omit<AlarmCondition, 'name' | keyof Runbook>,
): AlarmCondition => ({ name, ...runbooks[name], ...rule });

/** By platform: how many strategies read its posts, and how many instances have none left. */
function findGone(instances: SiteReading['instances']) {
  const found = new Map<string, { readonly strategies: number; readonly instances: number }>();
  for (const { state } of instances) {
    const readers = state.breakers.filter(({ reads }) => reads);
    for (const [platform = '', own] of Map.groupBy(readers, ({ name }) => name.split('/')[0]))
      if (own.every((breaker) => breaker.state !== 'closed'))
        found.set(platform, {
          strategies: own.length,
          instances: (found.get(platform)?.instances ?? 0) + 1,
        });
  }
  return found;
}

const kindNames: Readonly<Record<string, string>> = {
  links: 'links that are resolved',
  videos: 'videos',
  sounds: 'sounds',
  photos: 'photos',
};

/** Whether less is free than the site should have. */
export const isNearlyFull = (disk: DiskRoom | null): disk is DiskRoom =>
  disk !== null && (disk.free / disk.total < bounds.diskShare || disk.free < bounds.diskBytes);

/** Says how much of a machine's disk is free. */
export const diskText = (host: string, { free, total }: DiskRoom): string =>
  `${host}: ${roomText(free)} of ${roomText(total)} are free.`;

/** Everything that an operator is told of; what others are folded into comes first. */
export const conditions: readonly AlarmCondition[] = [
  condition('platform-gone', {
    severity: 'critical',
    lastsMs: 15_000,
    quietMs: 30_000,
    find({ instances, outcomes }) {
      return [...findGone(instances)].map(([subject, { strategies, instances: gone }]) => {
        const { succeeded, failed } = countsOf('link', outcomes);
        const asked = succeeded + failed;
        const facts = [
          `${strategies} of ${strategies} strategies`,
          ...(asked > 0 ? [`${succeeded} of the last ${asked} links`] : []),
          ...(instances.length > 1 ? [`on ${gone} of ${instances.length} instances`] : []),
        ];
        return { subject, text: `${nameOf(subject)} cannot be read: ${facts.join(', ')}.` };
      });
    },
  }),
  condition('strategy-broken', {
    severity: 'warning',
    lastsMs: 3 * minuteMs,
    isFolded: true,
    find({ instances }) {
      const broken = new Map<string, string[]>();
      for (const { state } of instances)
        for (const { name } of state.breakers.filter((breaker) => breaker.state !== 'closed'))
          broken.set(name, [...(broken.get(name) ?? []), state.host]);
      return [...broken].map(([subject, hosts]) => ({
        subject,
        text: `${subject}: its circuit breaker is open on ${hosts.length} of ${instances.length} instances.`,
      }));
    },
  }),
  condition('success-low', {
    severity: 'critical',
    lastsMs: 5 * minuteMs,
    isFolded: true,
    find({ outcomes }) {
      return outcomes.flatMap(({ kind, succeeded, failed }) => {
        const name = kindNames[kind];
        const all = succeeded + failed;
        if (name === undefined || all < bounds.fewestRequests || succeeded / all >= bounds.successShare)
          return [];
        return [{ subject: kind, text: `${percent(succeeded / all)} of the last ${all} ${name} succeeded.` }];
      });
    },
  }),
  condition('thin-answers', {
    severity: 'warning',
    lastsMs: 10 * minuteMs,
    isFolded: true,
    find({ outcomes }) {
      const { succeeded, failed: thin } = countsOf('posts', outcomes);
      const all = succeeded + thin;
      if (all < bounds.fewestReadings || thin / all <= bounds.thinShare) return [];
      const text = `${percent(thin / all)} of ${all} posts were read without HD and captions lately.`;
      return [{ subject: '', text }];
    },
  }),
  condition('new-shape', {
    severity: 'warning',
    lastsMs: 10 * minuteMs,
    find({ now, recent, shapes }) {
      const answers = (strategy: string) =>
        sumOf(recent.filter(({ subject, name }) => subject === 'strategy' && name === strategy));
      return shapes.flatMap(({ strategy, kind, name, example, isUsual, firstSeen }) => {
        if (isUsual || now - firstSeen > bounds.newShapeMs) return [];
        const form = `${kind} ${name}`;
        const met = sumOf(
          recent.filter((row) => row.subject === 'shape' && row.name === strategy && row.detail === form),
        );
        const all = Math.max(met, answers(strategy));
        if (met < bounds.fewestShapes || met / all <= bounds.shapeShare) return [];
        const text = `${strategy}: ${form} in ${percent(met / all)} of ${all} answers, for example ${example}.`;
        return [{ subject: `${strategy} ${form}`, text }];
      });
    },
  }),
  condition('disk-full', {
    severity: 'critical',
    lastsMs: 2 * minuteMs,
    find({ instances }) {
      const disks = new Map<string, Trouble>();
      for (const { state } of instances) {
        if (!isNearlyFull(state.disk)) continue;
        const text = diskText(state.host, state.disk);
        disks.set(state.host, { subject: state.host, text });
      }
      return [...disks.values()];
    },
  }),
  condition('queue-long', {
    severity: 'warning',
    lastsMs: 5 * minuteMs,
    find({ instances }) {
      return instances.flatMap(({ id, state: { host, conversions } }) => {
        const { waiting, mostWaiting } = conversions;
        if (mostWaiting === 0 || waiting / mostWaiting < bounds.queueShare) return [];
        return [{ subject: id, text: `${host}: ${waiting} conversions wait, of ${mostWaiting} that may.` }];
      });
    },
  }),
  condition('errors-grow', {
    severity: 'warning',
    lastsMs: 5 * minuteMs,
    isFolded: true,
    find({ recent, before }) {
      const failed = (rows: readonly NamedSum[]) =>
        sumOf(rows.filter(({ subject, name }) => subject === 'answer' && name === '5xx'));
      const now = failed(recent);
      const usual = (failed(before) / (7 * 24)) * 2;
      if (now < bounds.fewestErrors || now <= bounds.errorFactor * usual) return [];
      const text = `${now} responses of this hour and the one before failed; usual are ${Math.round(usual)}.`;
      return [{ subject: '', text }];
    },
  }),
  condition('store-away', {
    severity: 'warning',
    lastsMs: 3 * minuteMs,
    find({ instances }) {
      const names = new Set(instances.flatMap(({ state }) => state.absent));
      return [...names].map((subject) => {
        const count = instances.filter(({ state }) => state.absent.includes(subject)).length;
        return { subject, text: `${count} of ${instances.length} instances go on without ${subject}.` };
      });
    },
  }),
  condition('database-away', {
    severity: 'critical',
    lastsMs: 2 * minuteMs,
    find({ databaseFailure, instances: [self] }) {
      if (databaseFailure === null || self === undefined) return [];
      const { host, database, disk } = self.state;
      // One message for one cause.
      if (database === 'SQLite' && isNearlyFull(disk)) return [];
      return [{ subject: host, text: `${host}: ${databaseFailure}.` }];
    },
  }),
  condition('backup-failed', {
    severity: 'warning',
    lastsMs: minuteMs,
    find: ({ backupFailure }) => (backupFailure === null ? [] : [{ subject: '', text: `${backupFailure}.` }]),
  }),
];
