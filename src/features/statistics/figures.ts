import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createTallyStore, type TallyStore } from '../../stores/tally/tally-store.ts';
import { dayName } from '../../stores/tally/units.ts';

/** An operator's table: rows of words and numbers, by column names. */
export type Figures = readonly Readonly<Record<string, string | number>>[];

/** Names of the tables. */
export const figureNames = ['days', 'pages', 'downloads', 'events', 'uncounted'] as const;
export type FigureName = (typeof figureNames)[number];

/** The subject of each table, and its columns from the name and the words of the detail. */
const tables = {
  pages: { subject: 'view_from', columns: ['page', 'language', 'device'] },
  downloads: { subject: 'download_device', columns: ['format', 'outcome', 'device'] },
  events: { subject: 'event_page', columns: ['page', 'event', 'detail'] },
  uncounted: { subject: 'uncounted', columns: ['what', 'reason'] },
} as const;

const daily = {
  views: 'view_from',
  downloads: 'download_device',
  visitors: 'visitor',
  visits: 'visit',
  events: 'event_page',
} as const;
const noneOfDay: Readonly<Record<keyof typeof daily, number>> = {
  ...{ views: 0, downloads: 0, visitors: 0, visits: 0, events: 0 },
};

async function days(store: TallyStore, since: number): Promise<Figures> {
  const byDay = new Map<number, Record<keyof typeof daily, number>>();
  for (const [column, subject] of Object.entries(daily))
    for (const { at, total } of await store.sums({ subject, unit: 'day', from: since, by: ['at'] }))
      byDay.set(at, { ...(byDay.get(at) ?? noneOfDay), [column]: total });
  return [...byDay]
    .sort(([one], [other]) => other - one)
    .map(([day, sums]) => ({ day: dayName(day), ...sums }));
}

/** The events since a day, the most frequent first. @param since days since 1970, in UTC */
export async function readFigures(query: Kysely<Tables>, name: FigureName, since: number): Promise<Figures> {
  const store = createTallyStore(query, Date.now);
  if (name === 'days') return days(store, since);
  const { subject, columns } = tables[name];
  const sums = await store.sums({ subject, unit: 'day', from: since, by: ['name', 'detail'] });
  return sums
    .map(({ name: first, detail, total }) => ({
      cells: [first, ...(columns.length === 2 ? [detail] : (/^(\S*) ?(.*)$/.exec(detail)?.slice(1) ?? []))],
      total,
    }))
    .sort((one, other) => other.total - one.total || (one.cells.join('\n') < other.cells.join('\n') ? -1 : 1))
    .map(({ cells, total }) => ({
      ...Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])),
      total,
    }));
}
