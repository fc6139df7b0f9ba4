import type { Kysely } from 'kysely';
import type { DeskPage } from '../../../../server/desk/desk-page.ts';
import { experimentSums } from '../../../../server/tally/experiments.ts';
import { firstByteBuckets } from '../../../../server/tally/names.ts';
import type { Tables } from '../../../../stores/contracts/database.ts';
import { createTallyStore, type SumQuery, type TallyStore } from '../../../../stores/tally/tally-store.ts';
import { startOf, type Unit, unitOf } from '../../../../stores/tally/units.ts';
import { everyMoment, stackedBars } from '../chart-geometry.ts';

/** The unit of sums and the unit of bars in each period; both begin so many units before this one. */
interface Span {
  readonly sums: { readonly unit: Unit; readonly before: number };
  readonly shown: { readonly unit: 'hour' | 'day'; readonly before: number };
}

/** By the word in the address. A year is added up of its months, which are few. */
const periods = {
  day: { sums: { unit: 'hour', before: 23 }, shown: { unit: 'hour', before: 23 } },
  week: { sums: { unit: 'day', before: 6 }, shown: { unit: 'hour', before: 7 * 24 - 1 } },
  month: { sums: { unit: 'day', before: 30 }, shown: { unit: 'day', before: 30 } },
  year: { sums: { unit: 'month', before: 11 }, shown: { unit: 'day', before: 364 } },
} as const satisfies Readonly<Record<string, Span>>;

type Period = keyof typeof periods;

const periodOf = (text: string | null): Period =>
  text !== null && Object.hasOwn(periods, text) ? (text as Period) : 'day';

/** Sums by one part of their rows, the largest first, and how many of each were complete. */
async function ranked(
  tally: TallyStore,
  by: 'name' | 'detail',
  query: Omit<SumQuery<never>, 'by' | 'details'>,
) {
  const rows = await tally.sums({ ...query, by: [by], details: ['complete'] });
  return rows
    .map((row) => ({ name: row[by], total: row.total, complete: row.part }))
    .sort((one, other) => other.total - one.total || one.name.localeCompare(other.name));
}

/** Moments one after the other, with what of their sums is the part and what is not; empty ones are there too. */
function overTime(
  rows: Parameters<typeof everyMoment>[0],
  unit: 'hour' | 'day',
  first: number,
  last: number,
  hasPart: boolean,
) {
  const stepMs = startOf(unit, 1);
  const values = everyMoment(rows, unit, first, last, ({ total, part }) =>
    hasPart ? [part, total - part] : [total],
  );
  return { values, chart: stackedBars(values, stepMs), stepMs };
}

const scrollMarks = ['20', '40', '60', '80', '100'];
/** Promotions that visitors report as seen or pressed. */
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

/** How the site is used. @param now milliseconds since 1970 */
export const usePage = (query: Kysely<Tables>, now: () => number) => {
  const tally = createTallyStore(query, now);

  async function read(period: Period) {
    const { sums: span, shown } = periods[period];
    const from = (unit: Unit, before: number) => unitOf(unit, now()) - before;
    const added = { unit: span.unit, from: from(span.unit, span.before) };
    const firstShown = from(shown.unit, shown.before);
    const downloads = overTime(
      await tally.sums({
        ...{ subject: 'download', unit: shown.unit, from: firstShown },
        ...{ by: ['at'], details: ['complete'] },
      }),
      shown.unit,
      firstShown,
      unitOf(shown.unit, now()),
      true,
    );
    // Visitors are counted by day only.
    const isHourly = span.unit === 'hour';
    const today = unitOf('day', now());
    const firstDay = shown.unit === 'day' ? firstShown : today - 6;
    const byDay = async (subject: 'visitor' | 'visit') =>
      overTime(
        await tally.sums({ subject, unit: 'day', from: firstDay, by: ['at'] }),
        ...(['day', firstDay, today, false] as const),
      );
    const visitors = await byDay('visitor');
    const visits = await byDay('visit');
    const reported = isHourly ? ({ unit: 'day', from: today } as const) : added;
    const pageViews = await ranked(tally, 'name', { ...reported, subject: 'view' });
    const viewsOf = new Map(pageViews.map(({ name, total }) => [name, total]));
    const events = await tally.sums({ ...reported, subject: 'event', by: ['name', 'detail'] });
    const eventsOf = (name: string, detail: string) =>
      events.find((row) => row.name === name && row.detail === detail)?.total ?? 0;
    const buckets = await ranked(tally, 'detail', { ...added, subject: 'first_byte' });
    const pages = await ranked(tally, 'name', { ...added, subject: 'download_page' });
    return {
      period,
      downloads,
      formats: await ranked(tally, 'name', { ...added, subject: 'download' }),
      outcomes: await ranked(tally, 'detail', { ...added, subject: 'download' }),
      languages: await ranked(tally, 'name', { ...added, subject: 'download_language' }),
      pages: pages.map((page) => ({ ...page, views: viewsOf.get(page.name) ?? 0 })),
      firstBytes: firstByteBuckets.map((most) => {
        const name = Number.isFinite(most) ? String(most) : 'more';
        return { most, total: buckets.find((bucket) => bucket.name === name)?.total ?? 0 };
      }),
      visitors,
      visits,
      pageViews,
      pagesReported: events
        .filter(({ name, detail }) => name === 'page_view' && detail !== 'leave')
        .reduce((sum, { total }) => sum + total, 0),
      scrolls: scrollMarks.map((name) => ({ name, total: eventsOf('page_scroll', name) })),
      promotions: promotionEvents.flatMap((name) =>
        events
          .filter((row) => row.name === name)
          .sort((one, other) => other.total - one.total || one.detail.localeCompare(other.detail)),
      ),
      experiments: await experimentSums(tally, isHourly ? today : firstDay),
    };
  }

  return {
    name: 'use',
    section: 'Use',
    title: 'Use',
    load: ({ query: asked }) => read(periodOf(asked.get('period'))),
  } satisfies DeskPage;
};

export type UseData = NonNullable<Awaited<ReturnType<ReturnType<typeof usePage>['load']>>>;
