import type { Panel } from '../condition.ts';

/** Requests to resolve a link that were answered or failed, and those that failed. */
export const resolves = 'clipferry_requests_total{route="/api/resolve",method="POST",status=~"2..|5.."}';
export const failedResolves = 'clipferry_requests_total{route="/api/resolve",method="POST",status=~"5.."}';
/** Posts that the platform answered, and those of which it showed only a part. */
export const readPosts = 'clipferry_resolves_total{source="read",outcome=~"ok|thin"}';
export const thinPosts = 'clipferry_resolves_total{source="read",outcome="thin"}';
export const newShapes = 'clipferry_new_shapes_total';
export const failedResponses = 'clipferry_requests_total{status=~"5.."}';

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
  thinAnswers: [
    {
      title: 'Posts that are read without HD and captions',
      unit: 'percentunit',
      queries: [
        {
          expression: `(sum(increase(${thinPosts}[5m])) or vector(0)) / sum(increase(${readPosts}[5m]))`,
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
      queries: [{ expression: `sum by (route) (rate(${failedResponses}[5m]))`, legend: '{{route}}' }],
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
