import type { Kysely } from 'kysely';
import { platformErrors } from '../../../../downloader/extractors/probed-breaker.ts';
import { breakerOpen } from '../../../../downloader/extractors/readings.ts';
import type { DeskPage } from '../../../../server/desk/desk-page.ts';
import { createInstanceStore, type KnownInstance } from '../../../../server/tally/instances.ts';
import { addOutcomes } from '../../../../server/tally/recent-counts.ts';
import { createShapeStore } from '../../../../server/tally/shapes.ts';
import type { Tables } from '../../../../stores/contracts/database.ts';
import { createTallyStore, type NamedSum } from '../../../../stores/tally/tally-store.ts';
import { hourMs, unitOf } from '../../../../stores/tally/units.ts';
import { everyMoment, stackedBars } from '../chart-geometry.ts';

/**
 * Whole hours of the clock, this one and so many before it; of a week whole days, which have a 24th of the rows to be
 * summed up.
 */
const spans = [
  { unit: 'hour', before: 1 },
  { unit: 'hour', before: 24 },
  { unit: 'day', before: 6 },
] as const;
const shownHours = 7 * 24;

/** A name's sums over each span. */
interface SpanRow extends Omit<NamedSum, 'total'> {
  readonly totals: readonly number[];
}

/** Puts the sums of the spans side by side. */
function sideBySide(all: readonly (readonly NamedSum[])[]): readonly SpanRow[] {
  const rows = new Map<string, Omit<SpanRow, 'totals'> & { readonly totals: number[] }>();
  for (const [span, own] of all.entries())
    for (const { subject, name, detail, total } of own) {
      const key = [subject, name, detail].join('\n');
      const row = rows.get(key) ?? { subject, name, detail, totals: spans.map(() => 0) };
      row.totals[span] = total;
      rows.set(key, row);
    }
  return [...rows.values()];
}

/** The sum of rows within a span. */
const totalOf = (rows: readonly SpanRow[], span: number) =>
  rows.reduce((sum, { totals }) => sum + (totals[span] ?? 0), 0);

const failureKeys = [...platformErrors, breakerOpen];
const failures: ReadonlySet<string> = new Set(failureKeys);

/**
 * How often each name succeeded within each span; `share` is null where nothing happened. Refusals of a post are answers
 * too; the platform's errors are failures, and so is what was not asked because of them.
 */
function successes(rows: readonly SpanRow[]) {
  return [...Map.groupBy(rows, ({ name }) => name)]
    .map(([name, own]) => ({
      name,
      spans: spans.map((_, at) => {
        const total = totalOf(own, at);
        const failed = totalOf(
          own.filter(({ detail }) => failures.has(detail)),
          at,
        );
        return { total, share: total === 0 ? null : (total - failed) / total };
      }),
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Reasons of all strategies together, the most frequent first. */
function reasonsOf(rows: readonly SpanRow[]) {
  return [...Map.groupBy(rows, ({ detail }) => detail)]
    .map(([reason, own]) => ({
      reason,
      isFailure: failures.has(reason),
      totals: spans.map((_, at) => totalOf(own, at)),
    }))
    .sort((one, other) => (other.totals.at(-1) ?? 0) - (one.totals.at(-1) ?? 0));
}

/** Links of five minutes, whoever asked, by all instances. */
function linksOf(instances: readonly KnownInstance[]) {
  const sums = addOutcomes(instances.map(({ state }) => state.fiveMinutes));
  const { succeeded, failed } = sums.find(({ kind }) => kind === 'link') ?? { succeeded: 0, failed: 0 };
  return { succeeded, asked: succeeded + failed };
}

/** What is read of the table of another feature. */
interface AlarmColumns {
  id: number;
  condition: string;
  text: string;
  since: number;
  told_at: number | null;
  ended_at: number | null;
}

/** Troubles that the operator was told of and that last; none where no alarms are set up. */
const lastingAlarms = (query: Kysely<Tables>) =>
  query
    .$extendTables<{ alarms: AlarmColumns }>()
    .selectFrom('alarms')
    .select(['id', 'condition', 'text', 'since'])
    .where('told_at', 'is not', null)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();

/** How the site fares now. @param now milliseconds since 1970 */
export const nowPage = (query: Kysely<Tables>, now: () => number) => {
  const tally = createTallyStore(query, now);
  const instances = createInstanceStore(query, now);
  const shapes = createShapeStore(query, now);

  async function read() {
    const hour = unitOf('hour', now());
    const subjects = ['strategy', 'agent', 'egress', 'post', 'shape'] as const;
    const sums: (readonly NamedSum[])[] = [];
    for (const { unit, before } of spans)
      sums.push(
        await tally.sums({
          ...{ subject: subjects, unit, from: unitOf(unit, now()) - before, by: ['name', 'detail'] },
        }),
      );
    const rows = sideBySide(sums);
    const of = (subject: (typeof subjects)[number]) => rows.filter((row) => row.subject === subject);
    const lines = await tally.sums({
      ...{ subject: 'strategy', unit: 'hour', from: hour - shownHours },
      ...{ by: ['name', 'at'], details: failureKeys },
    });
    /** Bars of what succeeded, with what failed on top; hours without answers are gaps. */
    const sharesOf = (rows: typeof lines) =>
      stackedBars(
        everyMoment(rows, 'hour', hour - shownHours, hour, ({ total, part }) =>
          total === 0 ? [0, 0] : [(total - part) / total, part / total],
        ),
        hourMs,
        1,
      );
    const linesByName = Map.groupBy(lines, ({ name }) => name);
    const all = await instances.list();
    const breakers = Map.groupBy(
      all.flatMap(({ state }) => state.breakers),
      ({ name }) => name,
    );
    const met = new Map(of('shape').map(({ name, detail, totals }) => [`${name} ${detail}`, totals]));
    return {
      at: now(),
      links: linksOf(all),
      alarms: await lastingAlarms(query),
      strategies: successes(of('strategy')).map((one) => ({
        ...one,
        chart: sharesOf(linesByName.get(one.name) ?? []),
        open: (breakers.get(one.name) ?? []).filter(({ state }) => state !== 'closed').length,
      })),
      agents: successes(of('agent')),
      egresses: successes(of('egress')),
      reasons: reasonsOf(of('strategy')),
      posts: reasonsOf(of('post')),
      shapes: (await shapes.list())
        .filter(({ isUsual }) => !isUsual)
        .map((shape) => ({
          ...shape,
          totals: met.get(`${shape.strategy} ${shape.kind} ${shape.name}`) ?? spans.map(() => 0),
        })),
      instances: all,
    };
  }

  return {
    name: 'now',
    section: 'Now',
    title: 'Now',
    refreshS: 30,
    load: read,
  } satisfies DeskPage;
};

export type NowData = NonNullable<Awaited<ReturnType<ReturnType<typeof nowPage>['load']>>>;
