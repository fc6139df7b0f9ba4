import { type ExpressionBuilder, type Generated, type Kysely, sql } from 'kysely';
import type { Tables } from '../contracts/database.ts';
import type { OutboxColumns } from '../contracts/tables/outbox-columns.ts';

/** A row that its taker may send. */
export interface Claimed {
  readonly id: number;
  /** Number of attempts, including this one. */
  readonly attempts: number;
}

/** Rows that wait to be sent: at least once each. */
export interface Waiting<Item extends Claimed = Claimed> {
  /**
   * Takes one row for five minutes, longer than sending takes with its own time limits: nobody else gets it meanwhile.
   * @returns null when none is due
   */
  claim(): Promise<Item | null>;
  markSent(id: number): Promise<void>;
  /** @param delayMs null gives it up */
  putOff(id: number, delayMs: number | null): Promise<void>;
}

/** An outbox in the database, which all instances share. */
export interface Outbox extends Waiting {
  /** Milliseconds until the next row is due; null when none waits. */
  waitFor(): Promise<number | null>;
}

const leaseMs = 5 * 60_000;
/** No row is put off for longer: a later time was written by a clock that was ahead, and is due. */
const furthestMs = 2 * 3_600_000;

/** A table with an outbox's columns, under any name. */
type Outboxes = {
  outbox: OutboxColumns & { readonly id: Generated<number>; readonly channel: string };
};

/**
 * The outbox in a table whose rows say how far they have come.
 * @param name of the table, which has `OutboxColumns`
 * @param lane a column: of the rows with the same value, each waits until the one before is sent or given up
 * @param now milliseconds since 1970
 */
export function createOutbox(
  database: Kysely<Tables>,
  name: string,
  now: () => number,
  lane?: 'channel',
): Outbox {
  const query = database.$extendTables<Outboxes>();
  const table = name as 'outbox';
  const waiting = () => query.selectFrom(table).where('state', '=', sql.lit('waiting'));
  const isDue = ({ eb, or }: ExpressionBuilder<Outboxes, 'outbox'>) =>
    or([eb('next_at', '<=', now()), eb('next_at', '>', now() + furthestMs)]);
  const update = () => query.updateTable(table).where('state', '=', 'waiting');
  return {
    async claim() {
      let next = waiting().select('id').where(isDue).orderBy('next_at').limit(1);
      if (lane !== undefined)
        next = next.where(
          'id',
          'in',
          waiting()
            .select(({ fn }) => fn.min('id').as('id'))
            .groupBy(lane),
        );
      const row = await update()
        .set(({ eb }) => ({ next_at: now() + leaseMs, attempts: eb('attempts', '+', 1) }))
        .where(isDue)
        .where('id', '=', next)
        .returning(['id', 'attempts'])
        .executeTakeFirst();
      return row ?? null;
    },

    async waitFor() {
      const row = await waiting().select('next_at').orderBy('next_at').limit(1).executeTakeFirst();
      const waitMs = row === undefined ? null : row.next_at - now();
      return waitMs === null ? null : waitMs > furthestMs ? 0 : Math.max(0, waitMs);
    },

    async markSent(id) {
      await update().set({ state: 'sent', sent_at: now() }).where('id', '=', id).execute();
    },

    async putOff(id, delayMs) {
      await update()
        .set(delayMs === null ? { state: 'failed' } : { next_at: now() + delayMs })
        .where('id', '=', id)
        .execute();
    },
  };
}
