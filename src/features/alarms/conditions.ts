import type { DiskRoom } from '../../server/metrics/disk.ts';
import { roomText } from '../../server/tally/room-text.ts';
import type { NamedSum } from '../../stores/tally/tally-store.ts';
import type { AlarmCondition, Trouble } from './condition.ts';

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

const strategyBroken: AlarmCondition = {
  name: 'strategy-broken',
  title: 'A strategy is broken',
  advice:
    'Run "npm run cli -- canary LINK" with a public post and compare the strategies. When all of them fail, look at the proxies and user agents; when one does, the platform has changed it.',
  severity: 'critical',
  lastsMs: 3 * minuteMs,
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
};

const kindNames: Readonly<Record<string, string>> = {
  links: 'links that are resolved',
  videos: 'videos',
  sounds: 'sounds',
  photos: 'photos',
};

const successLow: AlarmCondition = {
  name: 'success-low',
  title: 'Too many requests fail',
  advice:
    'The page "Now" says by which reason. Write a note for the status page: npm run cli -- incident open TEXT.',
  severity: 'critical',
  lastsMs: 5 * minuteMs,
  find({ outcomes }) {
    const kinds = Map.groupBy(
      outcomes.filter(({ kind }) => kind in kindNames),
      ({ kind }) => kind,
    );
    return [...kinds].flatMap(([kind, rows]) => {
      const succeeded = rows.reduce((sum, row) => sum + row.succeeded, 0);
      const failed = rows.reduce((sum, row) => sum + row.failed, 0);
      const all = succeeded + failed;
      if (all < bounds.fewestRequests || succeeded / all >= bounds.successShare) return [];
      const name = kindNames[kind] ?? kind;
      return [{ subject: kind, text: `${percent(succeeded / all)} of ${all} ${name} succeeded lately.` }];
    });
  },
};

const thinAnswers: AlarmCondition = {
  name: 'thin-answers',
  title: 'Many posts are read without HD and captions',
  advice:
    'Posts can be downloaded, but only the player, the embed page or a page without encodings answers. Run "npm run cli -- canary LINK" and see why the pages do not: another line in OUTBOUND_PROXIES may help.',
  severity: 'warning',
  lastsMs: 10 * minuteMs,
  find({ outcomes }) {
    const read = outcomes.filter(({ kind }) => kind === 'posts');
    const thin = read.reduce((sum, { failed }) => sum + failed, 0);
    const all = read.reduce((sum, { succeeded }) => sum + succeeded, thin);
    if (all < bounds.fewestReadings || thin / all <= bounds.thinShare) return [];
    return [
      { subject: '', text: `${percent(thin / all)} of ${all} posts were read without HD and captions.` },
    ];
  },
};

const newShape: AlarmCondition = {
  name: 'new-shape',
  title: 'The platform answers in a new form',
  advice:
    'Open the example with "npm run cli -- canary", keep its answer, and add the form to the reader (CONTRIBUTING.md, "A strategy").',
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
      return [
        {
          subject: `${strategy} ${form}`,
          text: `${strategy}: ${form} in ${percent(met / all)} of ${all} answers, for example ${example}.`,
        },
      ];
    });
  },
};

/** Whether less is free than the site should have. */
export const isNearlyFull = (disk: DiskRoom | null): disk is DiskRoom =>
  disk !== null && (disk.free / disk.total < bounds.diskShare || disk.free < bounds.diskBytes);

/** Says how much of a machine's disk is free. */
export const diskText = (host: string, { free, total }: DiskRoom): string =>
  `${host}: ${roomText(free)} of ${roomText(total)} are free.`;

const diskFull: AlarmCondition = {
  name: 'disk-full',
  title: 'A disk is nearly full',
  advice: 'Make room on the disk with DATA_DIR, or lower KEPT_FILES_MB.',
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
};

const queueLong: AlarmCondition = {
  name: 'queue-long',
  title: 'The queue of conversions is long',
  advice: 'Add a converter ("npm run jobs") or an instance, or raise CONVERSIONS where cores are idle.',
  severity: 'warning',
  lastsMs: 5 * minuteMs,
  find({ instances }) {
    return instances.flatMap(({ id, state: { host, conversions } }) => {
      const { waiting, mostWaiting } = conversions;
      if (mostWaiting === 0 || waiting / mostWaiting < bounds.queueShare) return [];
      return [{ subject: id, text: `${host}: ${waiting} conversions wait, of ${mostWaiting} that may.` }];
    });
  },
};

const errorsGrow: AlarmCondition = {
  name: 'errors-grow',
  title: 'More responses fail than usual',
  advice: 'Look for lines of level "error" in the log, by the route that the metrics name.',
  severity: 'warning',
  lastsMs: 5 * minuteMs,
  find({ recent, before }) {
    const failed = (rows: readonly NamedSum[]) =>
      sumOf(rows.filter(({ subject, name }) => subject === 'answer' && name === '5xx'));
    const now = failed(recent);
    const usual = (failed(before) / (7 * 24)) * 2;
    if (now < bounds.fewestErrors || now <= bounds.errorFactor * usual) return [];
    return [
      {
        subject: '',
        text: `${now} responses of this hour and the one before failed; usual are ${Math.round(usual)}.`,
      },
    ];
  },
};

const storeAway: AlarmCondition = {
  name: 'store-away',
  title: 'A server that instances share is away',
  advice: 'Look at Redis or the object store. Instances go on without it, each for itself.',
  severity: 'warning',
  lastsMs: 3 * minuteMs,
  find({ instances }) {
    const names = new Set(instances.flatMap(({ state }) => state.absent));
    return [...names].map((subject) => {
      const count = instances.filter(({ state }) => state.absent.includes(subject)).length;
      return { subject, text: `${count} of ${instances.length} instances go on without ${subject}.` };
    });
  },
};

const databaseAway: AlarmCondition = {
  name: 'database-away',
  title: 'The database takes nothing',
  advice:
    'Make room on the disk with DATA_DIR, or look at PostgreSQL; "npm run cli -- doctor" says what is wrong. Downloads and cached pages go on.',
  severity: 'critical',
  lastsMs: 2 * minuteMs,
  find({ databaseFailure, instances: [self] }) {
    if (databaseFailure === null || self === undefined) return [];
    const { host, database, disk } = self.state;
    // One message for one cause.
    if (database === 'SQLite' && isNearlyFull(disk)) return [];
    return [{ subject: host, text: `${host}: ${databaseFailure}.` }];
  },
};

/** Everything that an operator is told of. */
export const conditions: readonly AlarmCondition[] = [
  strategyBroken,
  successLow,
  thinAnswers,
  newShape,
  diskFull,
  queueLong,
  errorsGrow,
  storeAway,
  databaseAway,
];
