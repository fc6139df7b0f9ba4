import type { FigureRow } from '../../web/figures/figure-store.ts';
import type { KnownInstance } from '../../web/figures/instance-store.ts';
import type { KeptShape } from '../../web/figures/shape-store.ts';

/** What alarms are looked for in. */
export interface SiteReading {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly instances: readonly KnownInstance[];
  /** Requests of visitors of this hour and the one before, by kind; one visitor counts ten times an hour at most. */
  readonly outcomes: readonly {
    readonly kind: string;
    readonly succeeded: number;
    readonly failed: number;
  }[];
  /** Sums of this hour and the one before: `strategy`, `shape` and `answer`. */
  readonly recent: readonly FigureRow[];
  /** `answer` of the seven days before these two hours. */
  readonly before: readonly FigureRow[];
  readonly shapes: readonly KeptShape[];
}

/** Something that is wrong now. */
export interface Trouble {
  /** What it is about, which tells it from others of its condition; empty where there is but one. */
  readonly subject: string;
  /** One sentence with the figures. */
  readonly text: string;
}

/** When an operator is told of something. Messages, Prometheus rules and the dashboard are all made of this list. */
export interface AlarmCondition {
  /** Of small letters and dashes. */
  readonly name: string;
  readonly title: string;
  /** What to do. */
  readonly advice: string;
  readonly severity: 'critical' | 'warning';
  /** It is told once it has lasted so long without a break. */
  readonly lastsMs: number;
  find(site: SiteReading): readonly Trouble[];
  /** The same as PromQL, and what a message says of each series. */
  readonly prometheus: { readonly expression: string; readonly text: string };
  /** The figures behind it, as panels of the dashboard. */
  readonly panels: readonly Panel[];
}

/** A panel of the dashboard. */
export interface Panel {
  readonly title: string;
  /** As Grafana calls units. */
  readonly unit: 'short' | 'percentunit' | 'bytes' | 's' | 'reqps';
  readonly queries: readonly { readonly expression: string; readonly legend: string }[];
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The bounds of all conditions. */
const bounds = {
  /** Below this share of links that led to files. */
  successShare: 0.8,
  /** Fewer requests say nothing. */
  fewestRequests: 20,
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
const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
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
  prometheus: {
    expression: 'max by (strategy) (clipferry_strategy_open) > 0',
    text: '{{ $labels.strategy }}: its circuit breaker is open.',
  },
  panels: [
    {
      title: 'Circuit breakers (1: open)',
      unit: 'short',
      queries: [{ expression: 'max by (strategy) (clipferry_strategy_open)', legend: '{{strategy}}' }],
    },
    {
      title: 'Failures by strategy',
      unit: 'percentunit',
      queries: [
        {
          expression:
            'sum by (strategy) (increase(clipferry_strategy_answers{outcome="failure"}[5m])) / sum by (strategy) (increase(clipferry_strategy_answers[5m]))',
          legend: '{{strategy}}',
        },
      ],
    },
    {
      title: 'User agents that are turned away',
      unit: 'short',
      queries: [
        {
          expression:
            'sum by (strategy, agent) (increase(clipferry_user_agent_answers{outcome="refused"}[5m]))',
          legend: '{{strategy}} {{agent}}',
        },
      ],
    },
  ],
};

const kindNames: Readonly<Record<string, string>> = {
  links: 'links that are resolved',
  videos: 'videos',
  sounds: 'sounds',
  photos: 'photos',
};

const resolves = 'clipferry_requests_total{route="/api/resolve",method="POST",status=~"2..|5.."}';
const failedResolves = 'clipferry_requests_total{route="/api/resolve",method="POST",status=~"5.."}';

const successLow: AlarmCondition = {
  name: 'success-low',
  title: 'Too many requests fail',
  advice:
    'The page "Now" says by which reason. Write a note for the status page: npm run cli -- incident open TEXT.',
  severity: 'critical',
  lastsMs: 5 * minuteMs,
  find({ outcomes }) {
    const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
    return [...kinds].flatMap(([kind, rows]) => {
      const succeeded = rows.reduce((sum, row) => sum + row.succeeded, 0);
      const failed = rows.reduce((sum, row) => sum + row.failed, 0);
      const all = succeeded + failed;
      if (all < bounds.fewestRequests || succeeded / all >= bounds.successShare) return [];
      const name = kindNames[kind] ?? kind;
      return [{ subject: kind, text: `${percent(succeeded / all)} of ${all} ${name} succeeded lately.` }];
    });
  },
  prometheus: {
    expression: `1 - (sum(increase(${failedResolves}[1h])) or vector(0)) / sum(increase(${resolves}[1h])) < ${bounds.successShare} and sum(increase(${resolves}[1h])) >= ${bounds.fewestRequests}`,
    text: '{{ $value | humanizePercentage }} of the links of the last hour were resolved.',
  },
  panels: [
    {
      title: 'Links that are resolved',
      unit: 'percentunit',
      queries: [
        {
          expression: `1 - (sum(increase(${failedResolves}[5m])) or vector(0)) / sum(increase(${resolves}[5m]))`,
          legend: 'share',
        },
      ],
    },
    {
      title: 'Answers about posts, by outcome',
      unit: 'reqps',
      queries: [
        { expression: 'sum by (outcome) (rate(clipferry_resolves_total[5m]))', legend: '{{outcome}}' },
      ],
    },
    {
      title: 'Time to an answer about a post (95 of 100)',
      unit: 's',
      queries: [
        {
          expression:
            'histogram_quantile(0.95, sum by (le, source) (rate(clipferry_resolve_seconds_bucket[5m])))',
          legend: '{{source}}',
        },
      ],
    },
  ],
};

const newShapes = 'clipferry_new_shapes_total';

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
          text: `${strategy}: ${form} in ${percent(met / all)} of ${all} answers; an example is the post ${example}.`,
        },
      ];
    });
  },
  prometheus: {
    expression: `sum by (strategy, shape) (increase(${newShapes}[1h])) / on (strategy) group_left () sum by (strategy) (increase(clipferry_strategy_answers[1h])) > ${bounds.shapeShare} and sum by (strategy, shape) (increase(${newShapes}[1h])) >= ${bounds.fewestShapes}`,
    text: '{{ $labels.strategy }}: {{ $labels.shape }} in {{ $value | humanizePercentage }} of the answers.',
  },
  panels: [
    {
      title: 'New forms of posts',
      unit: 'short',
      queries: [
        {
          expression: `sum by (strategy, shape) (increase(${newShapes}[5m]))`,
          legend: '{{strategy}} {{shape}}',
        },
      ],
    },
    {
      title: 'Answers that cannot be read',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (strategy, shape) (increase(clipferry_unreadable_answers_total[5m]))',
          legend: '{{strategy}} {{shape}}',
        },
      ],
    },
  ],
};

const diskFull: AlarmCondition = {
  name: 'disk-full',
  title: 'A disk is nearly full',
  advice: 'Make room on the disk with DATA_DIR, or lower KEPT_FILES_MB.',
  severity: 'critical',
  lastsMs: 2 * minuteMs,
  find({ instances }) {
    const disks = new Map<string, Trouble>();
    for (const { state } of instances) {
      if (state.disk === null) continue;
      const { free, total } = state.disk;
      if (free / total >= bounds.diskShare && free >= bounds.diskBytes) continue;
      const text = `${state.host}: ${gigabytes(free)} of ${gigabytes(total)} are free.`;
      disks.set(state.host, { subject: state.host, text });
    }
    return [...disks.values()];
  },
  prometheus: {
    expression: `clipferry_disk_free_bytes / clipferry_disk_bytes < ${bounds.diskShare} or clipferry_disk_free_bytes < ${bounds.diskBytes}`,
    text: 'The disk of {{ $labels.instance }} is nearly full.',
  },
  panels: [
    {
      title: 'Free disk',
      unit: 'bytes',
      queries: [{ expression: 'clipferry_disk_free_bytes', legend: '{{instance}}' }],
    },
    {
      title: 'Memory of the processes',
      unit: 'bytes',
      queries: [{ expression: 'process_resident_memory_bytes{job=~"clipferry.*"}', legend: '{{instance}}' }],
    },
  ],
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
  prometheus: {
    expression: `clipferry_conversions{state="waiting"} / ignoring (state) clipferry_conversions_waiting_limit >= ${bounds.queueShare}`,
    text: '{{ $value | humanizePercentage }} of the queue of {{ $labels.instance }} are taken.',
  },
  panels: [
    {
      title: 'Conversions',
      unit: 'short',
      queries: [
        { expression: 'sum by (instance, state) (clipferry_conversions)', legend: '{{instance}} {{state}}' },
      ],
    },
    {
      title: 'Share of the time at work',
      unit: 'percentunit',
      queries: [{ expression: 'nodejs_eventloop_utilization', legend: '{{instance}}' }],
    },
  ],
};

const failedResponses = 'clipferry_requests_total{status=~"5.."}';

const errorsGrow: AlarmCondition = {
  name: 'errors-grow',
  title: 'More responses fail than usual',
  advice: 'Look for lines of level "error" in the log, by the route that the metrics name.',
  severity: 'warning',
  lastsMs: 5 * minuteMs,
  find({ recent, before }) {
    const failed = (rows: readonly FigureRow[]) =>
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
  prometheus: {
    expression: `sum(increase(${failedResponses}[1h])) >= ${bounds.fewestErrors} and sum(increase(${failedResponses}[1h])) > ${bounds.errorFactor} * (sum(increase(${failedResponses}[7d] offset 1h)) or vector(0)) / 168`,
    text: '{{ $value | humanize }} responses of the last hour failed.',
  },
  panels: [
    {
      title: 'Responses by status',
      unit: 'reqps',
      queries: [{ expression: 'sum by (status) (rate(clipferry_requests_total[5m]))', legend: '{{status}}' }],
    },
    {
      title: 'Responses that fail, by route',
      unit: 'reqps',
      queries: [{ expression: `sum by (route) (rate(${failedResponses}[5m]))`, legend: '{{route}}' }],
    },
  ],
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
  prometheus: {
    expression: 'clipferry_redis_up == 0 or clipferry_s3_up == 0',
    text: '{{ $labels.instance }} goes on without a server that instances share.',
  },
  panels: [
    {
      title: 'Redis and S3 (1: there)',
      unit: 'short',
      queries: [
        { expression: 'clipferry_redis_up', legend: '{{instance}} Redis' },
        { expression: 'clipferry_s3_up', legend: '{{instance}} S3' },
      ],
    },
  ],
};

/** Everything that an operator is told of. */
export const conditions: readonly AlarmCondition[] = [
  strategyBroken,
  successLow,
  newShape,
  diskFull,
  queueLong,
  errorsGrow,
  storeAway,
];
