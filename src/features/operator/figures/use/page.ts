import type { Kysely } from 'kysely';
import type { Tables } from '../../../../stores/contracts/database.ts';
import type { DeskPage } from '../../../../web/desk/desk-page.ts';
import { createFigureStore, type FigureRow } from '../../../../web/figures/figure-store.ts';
import { firstByteBuckets } from '../../../../web/figures/subjects.ts';
import { hourMs } from '../../../../web/figures/waiting-figures.ts';
import { stackedBars } from '../charts/geometry.ts';
import type { Period } from './period-titles.ts';

const dayMs = 24 * hourMs;

/** How long each period is, and what it is shown by. */
const periods: Readonly<Record<Period, { readonly days: number; readonly unit: 'hour' | 'day' }>> = {
  day: { days: 1, unit: 'hour' },
  week: { days: 7, unit: 'hour' },
  month: { days: 31, unit: 'day' },
  year: { days: 365, unit: 'day' },
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
      complete: own
        .filter(({ detail }) => detail === 'complete')
        .reduce((sum, { total }) => sum + total, 0),
    }))
    .sort((one, other) => other.total - one.total || one.name.localeCompare(other.name));
}

/** Moments one after the other, with sums of each series; moments without any are there too. */
function overTime(
  rows: readonly (FigureRow & { readonly at: number })[],
  first: number,
  last: number,
  stepMs: number,
  seriesOf: (row: FigureRow) => number,
  count: number,
) {
  const values = Array.from({ length: last - first + 1 }, (_, index) => ({
    at: (first + index) * stepMs,
    totals: Array.from({ length: count }, () => 0),
  }));
  for (const row of rows) {
    const totals = values[row.at - first]?.totals;
    const series = seriesOf(row);
    if (totals !== undefined) totals[series] = (totals[series] ?? 0) + row.total;
  }
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
  return {
    name: 'use',
    section: 'Use',
    title: 'Use',
    async load({ parts, query: asked }) {
      if (parts.length > 0) return null;
      const period = periodOf(asked.get('period'));
      const { days, unit } = periods[period];
      const today = Math.floor(now() / dayMs);
      const thisHour = Math.floor(now() / hourMs);
      const firstDay = today - days + 1;
      const firstHour = thisHour - days * 24 + 1;
      const isHourly = unit === 'hour';
      const subjects = ['download', 'download_language', 'download_page', 'first_byte'] as const;
      const sums = isHourly
        ? await figures.sumHours(subjects, firstHour)
        : await figures.sumDays(subjects, firstDay);
      const of = (subject: (typeof subjects)[number]) => sums.filter((row) => row.subject === subject);
      const seriesOf = ({ detail }: FigureRow) => (detail === 'complete' ? 0 : 1);
      const downloads = isHourly
        ? overTime(await figures.byHour('download', firstHour), firstHour, thisHour, hourMs, seriesOf, 2)
        : overTime(await figures.byDay('download', firstDay), firstDay, today, dayMs, seriesOf, 2);
      // Of visitors there are days alone.
      const firstShownDay = Math.min(firstDay, today - 6);
      const byDay = async (subject: 'visitor' | 'visit') =>
        overTime(await figures.byDay(subject, firstShownDay), firstShownDay, today, dayMs, () => 0, 1);
      const visitors = await byDay('visitor');
      const visits = await byDay('visit');
      const views = await figures.sumDays(['view'], firstDay);
      const events = await figures.sumDays(['event'], firstDay);
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
        experiments: await experimentsSince(query, new Date(firstDay * dayMs).toISOString().slice(0, 10)),
      };
    },
  } satisfies DeskPage;
};

export type UseData = NonNullable<Awaited<ReturnType<ReturnType<typeof usePage>['load']>>>;
