import { expect, test } from 'vitest';
import type { InstanceState, KnownInstance } from '../../../server/tally/instances.ts';
import type { SiteReading } from '../read-site.ts';
import { conditions } from './conditions.ts';

const now = 1_790_000_000_000;
const dayMs = 86_400_000;

const fine: InstanceState = {
  ...{ host: 'alpha', version: '1', builtAt: null, node: 'v24', database: 'SQLite', absent: [], shared: [] },
  breakers: [{ name: 'tiktok/page', state: 'closed', reads: true }],
  ...{ fiveMinutes: [], lately: [] },
  egresses: { all: 0, resting: 0 },
  conversions: { waiting: 0, running: 0, mostWaiting: 200 },
  downloads: 0,
  disk: { free: 50 * 2 ** 30, total: 100 * 2 ** 30 },
  memory: { process: 1, heap: 1, free: 1, total: 1 },
  busy: 0,
};
const instance = (state: Partial<InstanceState> = {}, id = 'a'): KnownInstance => ({
  ...{ id, startedAt: 0, seenAt: now, state: { ...fine, ...state } },
});
const quiet: SiteReading = {
  ...{
    now,
    instances: [instance()],
    outcomes: [],
    recent: [],
    before: [],
    shapes: [],
    databaseFailure: null,
    backupFailure: null,
  },
};

/** Subjects of a condition's findings. */
function found(name: string, site: Partial<SiteReading>): string[] {
  const condition = conditions.find((one) => one.name === name);
  if (condition === undefined) throw new Error(`no condition ${name}`);
  return condition.find({ ...quiet, ...site }).map(({ subject }) => subject);
}

test('reports nothing for a site without requests or without instances', () => {
  for (const condition of conditions) {
    expect(condition.find(quiet)).toEqual([]);
    expect(condition.find({ ...quiet, instances: [] })).toEqual([]);
  }
});

test('reports a strategy as broken while a breaker is not closed, on whichever instance', () => {
  const open = instance({ breakers: [{ name: 'tiktok/page', state: 'half-open', reads: true }] }, 'b');
  expect(found('strategy-broken', { instances: [instance(), open] })).toEqual(['tiktok/page']);
});

test('a platform is gone while an instance has no strategy left that reads its posts', () => {
  const breakers = (page: 'open' | 'closed', embed: 'open' | 'half-open' | 'closed') => ({
    breakers: [
      { name: 'tiktok/page', state: page, reads: true },
      { name: 'tiktok/embed', state: embed, reads: true },
      { name: 'tiktok/oembed', state: 'closed' as const, reads: false },
    ],
  });
  expect(found('platform-gone', { instances: [instance(breakers('open', 'closed'))] })).toEqual([]);
  const gone = instance(breakers('open', 'half-open'));
  const outcomes = [{ kind: 'link', succeeded: 0, failed: 50 }];
  const [condition] = conditions;
  expect(condition?.find({ ...quiet, outcomes, instances: [gone] })).toEqual([
    { subject: 'tiktok', text: 'TikTok cannot be read: 2 of 2 strategies, 0 of the last 50 links.' },
  ]);
  expect(condition?.find({ ...quiet, instances: [gone, instance({}, 'b')] })).toEqual([
    { subject: 'tiktok', text: 'TikTok cannot be read: 2 of 2 strategies, on 1 of 2 instances.' },
  ]);
});

test('success is low below four of five, given enough requests', () => {
  const links = (succeeded: number, failed: number) => ({
    outcomes: [
      { kind: 'links', succeeded, failed },
      { kind: 'videos', succeeded: 100, failed: 0 },
    ],
  });
  expect(found('success-low', links(16, 4))).toEqual([]);
  expect(found('success-low', links(15, 5))).toEqual(['links']);
  expect(found('success-low', links(0, 19))).toEqual([]);
});

test('thin answers are many above a fifth of the posts that are read', () => {
  const read = (thin: number, ok: number) => ({
    outcomes: [
      { kind: 'posts', failed: thin, succeeded: ok },
      { kind: 'links', failed: 0, succeeded: 1_000 },
    ],
    // Whoever asks again and again raises no alarm.
    recent: [{ subject: 'post', name: 'read', detail: 'thin', total: 1_000 } as const],
  });
  expect(found('thin-answers', read(21, 79))).toEqual(['']);
  expect(found('thin-answers', read(20, 80))).toEqual([]);
  expect(found('thin-answers', read(19, 0))).toEqual([]);
});

test('reports a new form in more than one answer of a hundred', () => {
  const shape = { strategy: 'tiktok/page', kind: 'field', name: 'video.x', example: '1' } as const;
  const seen = { ...shape, firstSeen: now - dayMs, lastSeen: now, isUsual: false };
  const recent = (met: number) => [
    { subject: 'strategy', name: 'tiktok/page', detail: 'ok', total: 600 } as const,
    { subject: 'shape', name: 'tiktok/page', detail: 'field video.x', total: met } as const,
  ];
  expect(found('new-shape', { recent: recent(7), shapes: [seen] })).toEqual(['tiktok/page field video.x']);
  expect(found('new-shape', { recent: recent(6), shapes: [seen] })).toEqual([]);
  expect(found('new-shape', { recent: recent(7), shapes: [{ ...seen, isUsual: true }] })).toEqual([]);
  expect(
    found('new-shape', { recent: recent(7), shapes: [{ ...seen, firstSeen: now - 8 * dayMs }] }),
  ).toEqual([]);
});

test('a disk is full below a tenth, or below a gibibyte; one host is reported once', () => {
  const disk = (free: number, total: number) => ({ disk: { free: free * 2 ** 30, total: total * 2 ** 30 } });
  expect(found('disk-full', { instances: [instance(disk(9, 100)), instance(disk(9, 100), 'b')] })).toEqual([
    'alpha',
  ]);
  expect(found('disk-full', { instances: [instance(disk(0.9, 5))] })).toEqual(['alpha']);
  expect(found('disk-full', { instances: [instance(disk(10, 100)), instance({ disk: null })] })).toEqual([]);
});

test('a queue is long when half of it is taken', () => {
  const waiting = (count: number) => ({ conversions: { waiting: count, running: 2, mostWaiting: 200 } });
  expect(found('queue-long', { instances: [instance(waiting(99)), instance(waiting(100), 'b')] })).toEqual([
    'b',
  ]);
});

test('errors grow beyond three times the usual', () => {
  const failed = (total: number) => [{ subject: 'answer', name: '5xx', detail: '', total } as const];
  const usual = failed(10 * 7 * 24);
  expect(found('errors-grow', { recent: failed(60), before: usual })).toEqual([]);
  expect(found('errors-grow', { recent: failed(61), before: usual })).toEqual(['']);
  expect(found('errors-grow', { recent: failed(19), before: [] })).toEqual([]);
  expect(found('errors-grow', { recent: failed(20), before: [] })).toEqual(['']);
});

test('reports a store as away when an instance continues without it', () => {
  expect(found('store-away', { instances: [instance(), instance({ absent: ['Redis'] }, 'b')] })).toEqual([
    'Redis',
  ]);
});

test('reports a backup that failed, with its reason', () => {
  expect(found('backup-failed', { backupFailure: 'the folder is full' })).toEqual(['']);
});
