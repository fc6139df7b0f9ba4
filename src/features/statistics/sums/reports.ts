import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import { createTallyStore, type TallyEntry } from '../../../stores/tally/tally-store.ts';
import { dayMs, unitOf } from '../../../stores/tally/units.ts';
import type { Report } from '../report.ts';
import { countTrials, rowsAtOnce } from './experiment-visits.ts';
import { type ReportTable, withReports } from './tables.ts';

/** How long after an erasure request reports of that visitor may still arrive. */
const onTheWayMs = 10 * 60_000;
/** Rows per delete statement, so that writers do not wait long. */
const deletedAtOnce = 2000;

function toRow(report: Report): Omit<ReportTable, 'id'> {
  const { token, session, mode, page, locale, device, browser, system } = report;
  return {
    ...{ upload_id: report.uploadId, made_at: report.madeAt, payload: JSON.stringify(report.payload) },
    ...{ token, session, mode, page, locale, device, browser, system },
  };
}

/** The same order everywhere prevents deadlocks between instances; without duplicates. */
function inOrder(reports: readonly Report[]): Report[] {
  const byId = new Map(reports.toReversed().map((report) => [report.uploadId, report]));
  return [...byId.values()].sort((one, other) => (one.uploadId < other.uploadId ? -1 : 1));
}

/** Limit of different event sums per day; a site with much to click on has some hundred. */
const mostEventSums = 10_000;

/**
 * Limits the different event sums of a day: random combinations of pages, events and labels would make thousands. Beyond
 * the limit an event is counted under its name only.
 */
function createEventSums(most: number) {
  let today = 0;
  let known = new Set<string>();
  return ({ madeAt, page }: Report, name: string, detail: string): Pick<TallyEntry, 'name' | 'detail'> => {
    const day = unitOf('day', madeAt);
    if (day !== today) [today, known] = [day, new Set()];
    const event = { name: page, detail: `${name} ${detail}`.trim() };
    const key = `${page} ${event.detail}`;
    if (known.size >= most && !known.has(key)) return { name: '', detail: name };
    known.add(key);
    return event;
  };
}

function sumsOf(reports: readonly Report[], asStored: ReturnType<typeof createEventSums>): TallyEntry[] {
  return reports.flatMap((report) => {
    const one = { name: '', detail: '', hour: unitOf('hour', report.madeAt), total: 1 };
    const what = { name: eventName(report), detail: eventDetail(report) };
    return [
      ...(report.isFirstOfDay ? [{ ...one, subject: 'visitor' } as const] : []),
      ...(report.isFirstOfVisit ? [{ ...one, subject: 'visit' } as const] : []),
      { ...one, subject: 'event', ...what } as const,
      { ...one, subject: 'event_page', ...asStored(report, what.name, what.detail) } as const,
    ];
  });
}

/**
 * Deletes reports of visitors who asked to be forgotten since this batch was collected (usually none). The requests
 * stay in the database, however many there are: only the tokens of the batch are sent.
 * @param since milliseconds since 1970
 */
async function deleteForgotten(
  transaction: Transaction<Tables>,
  reports: readonly Report[],
  since: number,
): Promise<void> {
  const query = withReports(transaction);
  const anyErasure = await query
    .selectFrom('forgotten_tokens')
    .select('token')
    .where('made_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  if (anyErasure === undefined) return;
  const tokens = [...new Set(reports.map(({ token }) => token))];
  for (let at = 0; at < tokens.length; at += rowsAtOnce) {
    const some = tokens.slice(at, at + rowsAtOnce);
    for (const table of ['reports', 'experiment_visits'] as const)
      await query
        .deleteFrom(table)
        .where('token', 'in', ({ selectFrom }) =>
          selectFrom('forgotten_tokens')
            .select('token')
            .where('token', 'in', some)
            .where('made_at', '>=', since),
        )
        .execute();
  }
}

/** The stored reports. @param now milliseconds since 1970 @param options eventSums the limit of different event sums per day */
export function createReports(
  database: Kysely<Tables>,
  now: () => number,
  { eventSums = mostEventSums }: { readonly eventSums?: number } = {},
) {
  const query = withReports(database);
  const asStored = createEventSums(eventSums);

  /** Rows are numbered as they come: the old ones are the first, and no others are looked at. */
  async function expireOnce(before: number): Promise<number> {
    const rows = await query
      .deleteFrom('reports')
      .where('made_at', '<', before)
      .where('id', 'in', (first) =>
        first.selectFrom('reports').select('id').orderBy('id').limit(deletedAtOnce),
      )
      .executeTakeFirst();
    return Number(rows.numDeletedRows);
  }

  return {
    /** Keeps those that are new, and adds them to the daily sums. @returns how many were new */
    add: (reports: readonly Report[]) =>
      database.transaction().execute(async (transaction) => {
        const ordered = inOrder(reports);
        if (ordered.length === 0) return 0;
        const ids = new Set<string>();
        for (let at = 0; at < ordered.length; at += rowsAtOnce) {
          const some = ordered.slice(at, at + rowsAtOnce).map(toRow);
          const added = await withReports(transaction)
            .insertInto('reports')
            .values(some)
            .onConflict((conflict) => conflict.column('upload_id').doNothing())
            .returning('upload_id')
            .execute();
          for (const { upload_id } of added) ids.add(upload_id);
          // SQLite blocks the thread while it writes.
          await yieldToEventLoop();
        }
        const added = ordered.filter(({ uploadId }) => ids.has(uploadId));
        const trials = await countTrials(transaction, added);
        await createTallyStore(transaction, now).add([...sumsOf(added, asStored), ...trials]);
        await deleteForgotten(transaction, ordered, now() - onTheWayMs);
        return added.length;
      }),

    /**
     * Deletes everything that belongs to a visitor. If there was something, the erasure request is stored for ten
     * minutes, and reports that arrive meanwhile are deleted too; an unknown token leaves no row.
     * @param hasMore whether reports of the visitor wait elsewhere
     * @returns the number of deleted reports
     */
    forget: (token: string, hasMore = false) =>
      query.transaction().execute(async (transaction) => {
        const reports = await transaction.deleteFrom('reports').where('token', '=', token).executeTakeFirst();
        const visits = await transaction
          .deleteFrom('experiment_visits')
          .where('token', '=', token)
          .executeTakeFirst();
        if (hasMore || reports.numDeletedRows + visits.numDeletedRows > 0n)
          await transaction
            .insertInto('forgotten_tokens')
            .values({ token, made_at: now() })
            .onConflict((conflict) => conflict.column('token').doUpdateSet({ made_at: now() }))
            .execute();
        return Number(reports.numDeletedRows);
      }),

    /** Deletes erasure requests older than ten minutes. */
    async expireErasures() {
      await query
        .deleteFrom('forgotten_tokens')
        .where('made_at', '<', now() - onTheWayMs)
        .execute();
    },

    /** Deletes older reports. Any number of instances may do it at once. @returns their number */
    async expire(days: number) {
      const before = now() - days * dayMs;
      await query.deleteFrom('experiment_visits').where('made_at', '<', before).execute();
      let total = 0;
      for (;;) {
        const deleted = await expireOnce(before);
        total += deleted;
        // Fewer than requested may be younger ones received earlier, or another instance's by now.
        if (deleted === 0) return total;
      }
    },
  };
}

/** The known event names. Sums accept only these: forged ones must not fill them. */
const eventNames: ReadonlySet<string> = new Set([
  'page_view',
  'page_scroll',
  'download',
  'buy_now',
  'subscribe',
  'guide_jump',
  'b_banner',
  'close_b_banner',
  'share',
  'share_bar',
  'close_share_bar',
  'exposure',
  'hover',
]);

/** The known labels: reading milestones, kinds of pages, formats, `p` for programs to install, and share networks. */
const eventLabels: ReadonlySet<string> = new Set([
  ...['20', '40', '60', '80', '100'],
  ...['ks', 'kb', 'p', 'leave'],
  ...['b_banner', 'close_b_banner', 'buy_now', 'subscribe', 'guide_jump', 'download'],
  ...['share_bar', 'close_share_bar', 'sheet', 'copy', 'email', 'sms'],
  ...['facebook', 'x', 'pinterest', 'reddit', 'quora', 'whatsapp', 'telegram', 'viber', 'line', 'vk', 'ok'],
  ...['linkedin', 'xing', 'tumblr', 'threads', 'bluesky', 'hatena', 'naver', 'band', 'weibo', 'qzone'],
  ...['mp4', 'mp4-hd', 'mp4-slide', 'mp4-slideshow', 'mp3', 'm4a', 'jpg', 'zip'],
]);

/** The name of a report in the sums. */
function eventName({ mode, payload: { event = '' } }: Report): string {
  if (mode === 'page_view') return 'page_view';
  return eventNames.has(event) ? event : 'other';
}

/** Further parts of its sum: the label, and for files the outcome of saving. */
export function eventDetail({ payload: { event_label = '', file } }: Report): string {
  const label = eventLabels.has(event_label) ? event_label : '';
  return file === undefined ? label : `${label} ${file.outcome === 'success' ? 'success' : 'failure'}`.trim();
}
