import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { experimentSums } from '../../../server/tally/experiments.ts';
import type { Database } from '../../../stores/contracts/database.ts';
import { engines, openFreshDatabase } from '../../../stores/contracts/testing/services/databases.ts';
import { createTallyStore } from '../../../stores/tally/tally-store.ts';
import { dayMs, unitOf } from '../../../stores/tally/units.ts';
import { readFigures } from '../figures.ts';
import { type CountReports, createStatistics } from '../statistics.ts';
import { reportFor } from '../testing/reports.ts';
import { createReports } from './reports.ts';
import { withReports } from './tables.ts';

const start = Date.UTC(2026, 10, 22, 12);
const today = unitOf('day', start);

const rowsOf = async ({ query }: Database) =>
  (await withReports(query).selectFrom('reports').select('token').orderBy('id').execute()).map(
    ({ token }) => token,
  );

const trialsOf = async ({ query }: Database) =>
  (await experimentSums(createTallyStore(query, Date.now), 0)).map(
    ({ experiment, variant, since, exposures, conversions }) =>
      `${experiment} ${variant} ${since - today} ${exposures} ${conversions}`,
  );

function counter() {
  const counts = { stored: 0, repeated: 0, dropped: 0 };
  const count: CountReports = (result, reports) => {
    counts[result] += reports;
  };
  return Object.assign(count, { counts });
}

describe.each(engines)('reports in $name', (engine) => {
  test('counts the same report once, in one batch, in two, and when two instances write it', async () => {
    await using fresh = await openFreshDatabase(engine);
    const other = await fresh.place.open();
    const batch = Array.from({ length: 50 }, () => reportFor({ madeAt: start }));
    const added = await Promise.all([
      createReports(fresh.database.query, () => start).add([...batch, ...batch]),
      createReports(other.query, () => start).add(batch.toReversed()),
    ]);
    expect(added[0] + added[1]).toBe(50);
    expect(await rowsOf(fresh.database)).toHaveLength(50);
    expect(await readFigures(other.query, 'events', today)).toEqual([
      { event: 'page_view', detail: '', page: 'index', total: 50 },
    ]);
    await other.close();
  });

  test('forgets a visitor with everything, also what another instance writes afterwards', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    let now = start;
    const reports = createReports(query, () => now);
    const trial = { ab_try_list: [{ key: 'sidebarAB', value: 'a' }] };
    await reports.add([
      reportFor({ token: 'one', madeAt: start, payload: trial }),
      reportFor({ token: 'two', session: 'another', madeAt: start, payload: trial }),
    ]);
    expect(await reports.forget('one')).toBe(1);
    expect(await reports.forget('nobody')).toBe(0);
    await reports.add([
      reportFor({ token: 'one', madeAt: start }),
      reportFor({ token: 'two', madeAt: start }),
    ]);
    expect(await rowsOf(fresh.database)).toEqual(['two', 'two']);
    expect(await withReports(query).selectFrom('experiment_visits').select('token').execute()).toEqual([
      { token: 'two' },
    ]);
    const erasures = () => withReports(query).selectFrom('forgotten_tokens').select('token').execute();
    // An unknown visitor's request leaves no row.
    expect(await erasures()).toEqual([{ token: 'one' }]);
    // The request itself expires, and has no effect afterwards even if it is not deleted yet.
    now += 11 * 60_000;
    await reports.add([reportFor({ token: 'one', madeAt: now })]);
    expect(await rowsOf(fresh.database)).toContain('one');
    await reports.expireErasures();
    expect(await erasures()).toEqual([]);
  });

  test('writes and deletes reports however many visitors have asked to be forgotten', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    // SQLite takes 32,766 values in a statement, PostgreSQL 65,535.
    const erasures = Array.from({ length: 66_000 }, (_, n) => ({ token: `left-${n}`, made_at: start }));
    for (let at = 0; at < erasures.length; at += 6000)
      await withReports(query)
        .insertInto('forgotten_tokens')
        .values(erasures.slice(at, at + 6000))
        .execute();
    const reports = createReports(query, () => start);
    const batch = Array.from({ length: 1000 }, (_, n) =>
      reportFor({ token: n === 999 ? 'left-65999' : `stays-${n}`, madeAt: start }),
    );
    expect(await reports.add(batch)).toBe(1000);
    const kept = await rowsOf(fresh.database);
    expect([kept.length, kept.includes('left-65999')]).toEqual([999, false]);
    expect(await reports.forget('stays-7')).toBe(1);
  });

  test('deletes a moment later what another instance was writing when a visitor asked to be forgotten', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    let now = start;
    const statistics = createStatistics(query, () => now, counter());
    expect(await statistics.forget('leaves-1')).toBe(0);
    await createReports(query, () => now).add([reportFor({ token: 'leaves-1', madeAt: start })]);
    await statistics.flush();
    expect(await rowsOf(fresh.database)).toEqual(['leaves-1']);
    now += 5000;
    await statistics.flush();
    expect(await rowsOf(fresh.database)).toEqual([]);
  });

  test('deletes rows after their days and keeps sums, and two instances may do it at once', async () => {
    await using fresh = await openFreshDatabase(engine);
    let now = start;
    const instances = [0, 1].map(() => createReports(fresh.database.query, () => now));
    const many = Array.from({ length: 2100 }, () => reportFor({ token: 'old', madeAt: start }));
    for (let at = 0; at < many.length; at += 300) await instances[0]?.add(many.slice(at, at + 300));
    now += 29 * dayMs;
    await instances[0]?.add([reportFor({ token: 'new', madeAt: now })]);
    expect(await instances[1]?.expire(30)).toBe(0);
    now = start + 30 * dayMs + 1;
    const gone = await Promise.all(instances.map((reports) => reports.expire(30)));
    expect(gone.reduce((sum, number) => sum + number)).toBe(2100);
    expect(await rowsOf(fresh.database)).toEqual(['new']);
    const days = await readFigures(fresh.database.query, 'days', 0);
    expect(days.map(({ day, events }) => [day, events])).toEqual([
      ['2026-12-21', 1],
      ['2026-11-22', 2100],
    ]);
  });

  test('a visit counts once for an experiment, and converts once, on the day it began', async () => {
    await using fresh = await openFreshDatabase(engine);
    const reports = createReports(fresh.database.query, () => start);
    const sees = (session: string, value: string, event?: string, outcome = 'success', madeAt = start) =>
      reportFor({
        mode: event === undefined ? 'page_view' : 'event',
        session,
        madeAt,
        payload: {
          ab_try_list: [{ key: 'sidebarAB', value }],
          ...(event !== undefined && { event, file: { format: 'mp4', outcome } }),
        },
      });
    await reports.add([
      sees('visit-1', 'a'),
      sees('visit-1', 'a'),
      sees('visit-2', 'b'),
      sees('visit-3', 'a', 'download', 'network'),
    ]);
    await reports.add([sees('visit-1', 'a', 'page_scroll'), sees('visit-1', 'a', 'download')]);
    await reports.add([
      sees('visit-1', 'a', 'download', 'success', start + dayMs),
      sees('visit-2', 'b', 'download', 'success', start + dayMs),
    ]);
    expect(await trialsOf(fresh.database)).toEqual(['sidebarAB a 0 2 1', 'sidebarAB b 0 1 1']);
  });

  test('a visit converts wherever it saves a file, also on pages outside the experiment', async () => {
    await using fresh = await openFreshDatabase(engine);
    const reports = createReports(fresh.database.query, () => start);
    const saves = (session: string) =>
      reportFor({ mode: 'event', session, madeAt: start, payload: { event: 'download' } });
    const ab_try_list = [
      { key: 'sidebarAB', value: 'a' },
      { key: 'another', value: 'b' },
    ];
    await reports.add([reportFor({ session: 'visit-1', madeAt: start, payload: { ab_try_list } })]);
    await reports.add([saves('visit-1'), saves('visit-1'), saves('visit-2')]);
    expect(await trialsOf(fresh.database)).toEqual(['another b 0 1 1', 'sidebarAB a 0 1 1']);
  });

  test('a visit that does not count is in no experiment, whatever it does', async () => {
    await using fresh = await openFreshDatabase(engine);
    const reports = createReports(fresh.database.query, () => start);
    const ab_try_list = [{ key: 'sidebarAB', value: 'a' }];
    const event = { mode: 'event', payload: { ab_try_list, event: 'download' } } as const;
    await reports.add([reportFor({ ...event, session: 'counts', madeAt: start })]);
    await reports.add([
      reportFor({ ...event, session: 'does-not', isVisitCounted: false, madeAt: start }),
      reportFor({ ...event, session: 'made-up', isVisitCounted: false, madeAt: start }),
    ]);
    expect(await trialsOf(fresh.database)).toEqual(['sidebarAB a 0 1 1']);
    expect(
      await withReports(fresh.database.query).selectFrom('experiment_visits').select('session').execute(),
    ).toHaveLength(1);
  });

  test('unexpected events do not make endless sums', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    let now = start;
    const reports = createReports(query, () => now, { eventSums: 3 });
    const shares = (pages: readonly string[]) =>
      pages.map((page) =>
        reportFor({ mode: 'event', madeAt: now, page, payload: { event: 'share', event_label: 'copy' } }),
      );
    await reports.add(shares(['a', 'b']));
    await reports.add(shares(['b', 'c']));
    await reports.add(shares(['d', 'e']));
    const day = await readFigures(query, 'events', today);
    expect(day.map(({ page, detail, total }) => [page, detail, total])).toEqual([
      ['', '', 2],
      ['b', 'copy', 2],
      ['a', 'copy', 1],
      ['c', 'copy', 1],
    ]);
    now += dayMs;
    await reports.add(shares(['e']));
    expect(await readFigures(query, 'events', today + 1)).toEqual([
      { event: 'share', detail: 'copy', page: 'e', total: 1 },
    ]);
  });

  test('a thousand reports of a thousand visits are written in one go', async () => {
    await using fresh = await openFreshDatabase(engine);
    const ab_try_list = Array.from({ length: 20 }, (_, n) => ({ key: `experiment-${n}`, value: 'a' }));
    const reports = Array.from({ length: 1000 }, (_, n) =>
      reportFor({ session: `visit-${n}`, madeAt: start, payload: { ab_try_list } }),
    );
    const statistics = createStatistics(fresh.database.query, () => start, counter());
    statistics.report(reports);
    await statistics.flush();
    expect(await rowsOf(fresh.database)).toHaveLength(1000);
    const trials = await experimentSums(createTallyStore(fresh.database.query, Date.now), 0);
    expect(trials.map(({ exposures }) => exposures)).toEqual(Array.from({ length: 20 }, () => 1000));
  });

  test('the figures show what happened without consent, and with it', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    const statistics = createStatistics(query, () => start, counter());
    const sum = { hour: unitOf('hour', start), total: 1 };
    await createTallyStore(query, () => start).add([
      { ...sum, subject: 'view_from', name: 'index', detail: 'de mobile', total: 3 },
      { ...sum, subject: 'view_from', name: 'contact', detail: 'en desktop' },
      { ...sum, subject: 'download_device', name: 'mp3', detail: 'complete mobile' },
    ]);
    statistics.report([
      reportFor({ madeAt: start, isFirstOfDay: true, isFirstOfVisit: true }),
      reportFor({ madeAt: start, mode: 'event', payload: { event: 'page_scroll', event_label: '40' } }),
      reportFor({ madeAt: start, mode: 'event', payload: { event: 'made_up', event_label: 'made up' } }),
      reportFor({
        madeAt: start,
        mode: 'event',
        payload: { event: 'download', event_label: 'mp3', file: { format: 'mp3', outcome: 'post_gone' } },
      }),
    ]);
    await statistics.flush();
    await statistics.flush();
    expect(await readFigures(query, 'days', today)).toEqual([
      { day: '2026-11-22', views: 4, downloads: 1, visitors: 1, visits: 1, events: 4 },
    ]);
    expect(await readFigures(query, 'days', today + 1)).toEqual([]);
    expect(await readFigures(query, 'pages', today)).toEqual([
      { page: 'index', language: 'de', device: 'mobile', total: 3 },
      { page: 'contact', language: 'en', device: 'desktop', total: 1 },
    ]);
    expect(await readFigures(query, 'downloads', today)).toEqual([
      { format: 'mp3', outcome: 'complete', device: 'mobile', total: 1 },
    ]);
    expect(await readFigures(query, 'events', today)).toEqual([
      { event: 'download', detail: 'mp3 failure', page: 'index', total: 1 },
      { event: 'other', detail: '', page: 'index', total: 1 },
      { event: 'page_scroll', detail: '40', page: 'index', total: 1 },
      { event: 'page_view', detail: '', page: 'index', total: 1 },
    ]);
  });

  test('what cannot be written waits, and a full buffer drops and counts', async () => {
    await using fresh = await openFreshDatabase(engine);
    const observer = counter();
    const gone = await fresh.place.open();
    await withReports(gone.query).selectFrom('reports').select('id').execute();
    await gone.close();
    const away = createStatistics(gone.query, () => start, observer, { most: 3 });
    expect(away.report([reportFor({}), reportFor({ token: 'leaves' })])).toBe(true);
    await expect(away.flush()).rejects.toThrow();
    expect(away.report([reportFor({}), reportFor({})])).toBe(false);
    expect(away.report([reportFor({})])).toBe(true);
    expect(observer.counts).toEqual({ stored: 0, repeated: 0, dropped: 2 });
  });

  test('writes waiting reports eventually, but none of visitors who asked to be forgotten', async () => {
    await using fresh = await openFreshDatabase(engine);
    const observer = counter();
    const statistics = createStatistics(fresh.database.query, () => start, observer);
    const reports = Array.from({ length: 250 }, (_, n) =>
      reportFor({ uploadId: randomUUID(), madeAt: start, token: n === 7 ? 'leaves' : 'stays' }),
    );
    statistics.report(reports);
    expect(await statistics.forget('leaves')).toBe(0);
    await statistics.flush();
    expect(observer.counts).toMatchObject({ stored: 249, repeated: 0 });
    statistics.report(reports.slice(0, 3));
    await statistics.flush();
    expect(observer.counts).toMatchObject({ stored: 249, repeated: 3 });
  });
});
