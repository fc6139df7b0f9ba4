import type { Panel } from '../condition.ts';

/** What visitors who count asked for (`WhoCounts`), by a pattern of its kinds, and what of it failed. */
export const counted = (kinds: string) => `clipferry_counted_total{kind=~"${kinds}"}`;
export const failed = (kinds: string) => `clipferry_counted_total{kind=~"${kinds}",outcome="failed"}`;
export const works = 'links|videos|sounds|photos';
export const newShapes = 'clipferry_new_shapes_total';

/** The panels of the dashboard, by the condition whose figures they show. */
export const panels = {
  strategyBroken: [
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
  successLow: [
    {
      title: 'Links and files that succeed',
      unit: 'percentunit',
      queries: [
        {
          expression: `sum by (kind) (increase(clipferry_counted_total{kind=~"${works}",outcome="succeeded"}[5m])) / sum by (kind) (increase(${counted(works)}[5m]))`,
          legend: '{{kind}}',
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
  thinAnswers: [
    {
      title: 'Posts that are read without HD and captions',
      unit: 'percentunit',
      queries: [
        {
          expression: `(sum(increase(${failed('posts')}[5m])) or vector(0)) / sum(increase(${counted('posts')}[5m]))`,
          legend: 'share',
        },
      ],
    },
  ],
  newShape: [
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
  diskFull: [
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
  queueLong: [
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
  errorsGrow: [
    {
      title: 'Responses by status',
      unit: 'reqps',
      queries: [{ expression: 'sum by (status) (rate(clipferry_requests_total[5m]))', legend: '{{status}}' }],
    },
    {
      title: 'Responses that fail, by route',
      unit: 'reqps',
      queries: [
        {
          expression: 'sum by (route) (rate(clipferry_requests_total{status=~"5.."}[5m]))',
          legend: '{{route}}',
        },
      ],
    },
  ],
  storeAway: [
    {
      title: 'Redis and S3 (1: there)',
      unit: 'short',
      queries: [
        { expression: 'clipferry_redis_up', legend: '{{instance}} Redis' },
        { expression: 'clipferry_s3_up', legend: '{{instance}} S3' },
      ],
    },
  ],
  databaseAway: [
    {
      title: 'Database (1: there)',
      unit: 'short',
      queries: [{ expression: 'clipferry_database_up', legend: '{{instance}}' }],
    },
  ],
} satisfies Readonly<Record<string, readonly Panel[]>>;
