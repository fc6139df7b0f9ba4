import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Counted } from '../../web/server/parts.ts';

/** An operator's table: rows of words and numbers, by column names. */
export type Figures = readonly Readonly<Record<string, string | number>>[];

/** The contents of each table: the sums of a subject, grouped by some of their parts. */
const tables = {
  pages: { subject: 'view', parts: ['page', 'locale', 'device'] },
  downloads: { subject: 'download', parts: ['name', 'detail', 'device'] },
  events: { subject: 'event', parts: ['name', 'detail', 'page'] },
  uncounted: { subject: 'uncounted', parts: ['name', 'detail'] },
} as const;

/** Names of the tables. */
export const figureNames = ['days', 'pages', 'downloads', 'events', 'uncounted'] as const;
export type FigureName = (typeof figureNames)[number];

/** Columns are named for who reads them. */
const columns = {
  pages: ['page', 'language', 'device'],
  downloads: ['format', 'outcome', 'device'],
  events: ['event', 'detail', 'page'],
  uncounted: ['what', 'reason'],
} as const;

async function days(query: Kysely<Tables>, since: string): Promise<Figures> {
  const rows = await query
    .selectFrom('daily_sums')
    .select(({ fn }) => ['day', 'subject', fn.sum<number>('total').as('total')])
    .where('day', '>=', since)
    .groupBy(['day', 'subject'])
    .orderBy('day', 'desc')
    .execute();
  const byDay = new Map<string, Partial<Record<string, number>>>();
  for (const { day, subject, total } of rows) byDay.set(day, { ...byDay.get(day), [subject]: Number(total) });
  const of = (found: Partial<Record<string, number>>, subject: Counted['subject']) => found[subject] ?? 0;
  return [...byDay].map(([day, found]) => ({
    day,
    views: of(found, 'view'),
    downloads: of(found, 'download'),
    visitors: of(found, 'visitor'),
    visits: of(found, 'visit'),
    events: of(found, 'event'),
  }));
}

/** The events since a day. @param since as `2026-11-22`, in UTC */
export async function readFigures(query: Kysely<Tables>, name: FigureName, since: string): Promise<Figures> {
  if (name === 'days') return days(query, since);
  const { subject, parts } = tables[name];
  const sums = query
    .selectFrom('daily_sums')
    .select(({ fn }) => [...parts, fn.sum<number>('total').as('total')])
    .where('subject', '=', subject)
    .where('day', '>=', since)
    .groupBy(parts)
    .orderBy('total', 'desc');
  const rows = await [...parts].reduce((sorted, part) => sorted.orderBy(part), sums).execute();
  return rows.map(({ total, ...row }) => ({
    ...Object.fromEntries(columns[name].map((column, at) => [column, row[parts[at] as keyof typeof row]])),
    total: Number(total),
  }));
}
