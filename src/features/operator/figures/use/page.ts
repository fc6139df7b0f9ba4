import type { Kysely } from 'kysely';
import type { Tables } from '../../../../stores/contracts/database.ts';
import type { DeskPage } from '../../../../web/desk/desk-page.ts';
import { createFigureStore, type FigureRow, type PartRow } from '../../../../web/figures/figure-store.ts';
import { firstByteBuckets } from '../../../../web/figures/subjects.ts';
import { dayMs, startOf, type Unit, unitOf } from '../../../../web/figures/units.ts';
import { stackedBars } from '../charts/geometry.ts';
import { keepBriefly } from '../kept.ts';
import type { Period } from './period-titles.ts';

/** Of what sums are added up, and by what they are shown over time; both begin so many units before this one. */
interface Span {
  readonly sums: { readonly unit: Unit; readonly before: number };
  readonly shown: { readonly unit: 'hour' | 'day'; readonly before: number };
}

/** A year is added up of its months, which are few. */
const periods: Readonly<Record<Period, Span>> = {
  day: { sums: { unit: 'hour', before: 23 }, shown: { unit: 'hour', before: 23 } },
  week: { sums: { unit: 'day', before: 6 }, shown: { unit: 'hour', before: 7 * 24 - 1 } },
  month: { sums: { unit: 'day', before: 30 }, shown: { unit: 'day', before: 30 } },
  year: { sums: { unit: 'month', before: 11 }, shown: { unit: 'day', before: 364 } },
};

const periodOf = (text: string | null): Period =>
  text !== null && Object.hasOwn(periods, text) ? (text as Period) : 'day';

/** Sums by one part of the rows, the largest first. */
function sumBy(rows: readonly FigureRow[], part: 'name' | 'detail') {
  return [...Map.groupBy(rows, (row) => row[part])]
    .map(([name, own]) => ({ name, total: own.reduce((sum, { total }) => sum + total, 0) }))
    .sort((one, other) => other.total - one.total || one.name.localeCompare(other.name));
}

/** The same, and how many of each were complete. */
function completeBy(rows: readonly FigureRow[]) {
  return [...Map.groupBy(rows, ({ name }) => name)]
    .map(([name, own]) => ({
      name,
      total: own.reduce((sum, { total }) => sum + total, 0),
      complete: own.filter(({ detail }) => detail === 'complete').reduce((sum, { total }) => sum + total, 0),
    }))
    .sort((one, other) => other.total - one.total || one.name.localeCompare(other.name));
}

/** Moments one after the other, with what of their sums is the part and what is not; empty ones are there too. */
function overTime(
  rows: readonly PartRow[],
  unit: 'hour' | 'day',
  first: number,
  last: number,
  hasPart: boolean,
) {
  const byTime = new Map(rows.map((row) => [row.at, row]));
  const stepMs = startOf(unit, 1);
  const values = Array.from({ length: last - first + 1 }, (_, index) => {
    const { total, part } = byTime.get(first + index) ?? { total: 0, part: 0 };
    return { at: startOf(unit, first + index), totals: hasPart ? [part, total - part] : [total] };
  });
  return { values, chart: stackedBars(values, stepMs), stepMs };
}

const scrollMarks = ['20', '40', '60', '80', '100'];
/** What visitors see and press of what is promoted, as they report it. */
const promotionEvents = [
  'exposure',
  'b_banner',
  'close_b_banner',
  'guide_jump',
  'buy_now',
  'subscribe',
  'share_bar',
  'close_share_bar',
  'share',
  'hover',
];

async function experimentsSince(query: Kysely<Tables>, day: string) {
  const rows = await query
    .selectFrom('experiment_days')
    .select(({ fn }) => [
      'experiment',
      'variant',
      fn.sum<number>('exposures').as('exposures'),
      fn.sum<number>('conversions').as('conversions'),
    ])
    .where('day', '>=', day)
    .groupBy(['experiment', 'variant'])
    .orderBy('experiment')
    .orderBy('variant')
    .execute();
  return rows.map((row) => ({
    ...row,
    exposures: Number(row.exposures),
    conversions: Number(row.conversions),
  }));
}

/** How the site is used. @param now milliseconds since 1970 */
export const usePage = (query: Kysely<Tables>, now: () => number) => {
  const figures = createFigureStore(query, now);
  const kept = keepBriefly<Awaited<ReturnType<typeof read>>>();

  async function read(period: Period) {
    const { sums: span, shown } = periods[period];
    const from = (unit: Unit, before: number) => unitOf(unit, now()) - before;
    const subjects = ['download', 'download_language', 'download_page', 'first_byte'] as const;
    const sums = await figures.sums(span.unit, subjects, from(span.unit, span.before));
    const of = (subject: (typeof subjects)[number]) => sums.filter((row) => row.subject === subject);
    const firstShown = from(shown.unit, shown.before);
    const downloads = overTime(
      await figures.overTime(shown.unit, 'download', firstShown, ['complete']),
      shown.unit,
      firstShown,
      unitOf(shown.unit, now()),
      true,
    );
    // Of visitors there are days alone.
    const isHourly = span.unit === 'hour';
    const today = unitOf('day', now());
    const firstDay = shown.unit === 'day' ? firstShown : today - 6;
    const byDay = async (subject: 'visitor' | 'visit') =>
      overTime(await figures.overTime('day', subject, firstDay, []), 'day', firstDay, today, false);
    const visitors = await byDay('visitor');
    const visits = await byDay('visit');
    const [reportedUnit, reportedFrom] = isHourly
      ? (['day', today] as const)
      : ([span.unit, from(span.unit, span.before)] as const);
    const reported = await figures.sums(reportedUnit, ['view', 'event'], reportedFrom);
    const views = reported.filter(({ subject }) => subject === 'view');
    const events = reported.filter(({ subject }) => subject === 'event');
    const scrolls = new Map(
      sumBy(
        events.filter(({ name }) => name === 'page_scroll'),
        'detail',
      ).map(({ name, total }) => [name, total]),
    );
    const viewsOf = new Map(sumBy(views, 'name').map(({ name, total }) => [name, total]));
    const buckets = sumBy(of('first_byte'), 'detail');
    return {
      period,
      downloads,
      formats: completeBy(of('download')),
      outcomes: sumBy(of('download'), 'detail'),
      languages: completeBy(of('download_language')),
      pages: completeBy(of('download_page')).map((page) => ({
        ...page,
        views: viewsOf.get(page.name) ?? null,
      })),
      firstBytes: firstByteBuckets.map((most) => {
        const name = Number.isFinite(most) ? String(most) : 'more';
        return { most, total: buckets.find((bucket) => bucket.name === name)?.total ?? 0 };
      }),
      visitors,
      visits,
      pageViews: sumBy(views, 'name'),
      pagesReported: events
        .filter(({ name, detail }) => name === 'page_view' && detail !== 'leave')
        .reduce((sum, { total }) => sum + total, 0),
      scrolls: scrollMarks.map((name) => ({ name, total: scrolls.get(name) ?? 0 })),
      promotions: promotionEvents.flatMap((name) => {
        const own = events.filter((row) => row.name === name);
        return sumBy(own, 'detail').map(({ name: detail, total }) => ({ name, detail, total }));
      }),
      experiments: await experimentsSince(
        query,
        new Date((isHourly ? today : firstDay) * dayMs).toISOString().slice(0, 10),
      ),
    };
  }

  return {
    name: 'use',
    section: 'Use',
    title: 'Use',
    async load({ parts, query: asked }) {
      if (parts.length > 0) return null;
      const period = periodOf(asked.get('period'));
      return kept(period, () => read(period));
    },
  } satisfies DeskPage;
};

export type UseData = NonNullable<Awaited<ReturnType<ReturnType<typeof usePage>['load']>>>;
