import { type ExpressionBuilder, type Generated, type Kysely, sql } from 'kysely';
import type { Tables } from '../contracts/database.ts';

/** Columns of a table whose rows are sent. */
export interface OutboxColumns<Other extends string = never> {
  state: 'waiting' | 'sent' | 'failed' | Other;
  /** With the one that is being made. */
  attempts: Generated<number>;
  /** When the next attempt may be made. */
  next_at: number;
  sent_at: number | null;
}

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

/** How often a row is tried. */
export interface Patience {
  /** Before the second attempt; doubles each time. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  readonly maxAttempts: number;
  /** Whether no other try makes sense after this error. */
  isFinal?(error: unknown): boolean;
}

/** An outbox's reports on its work. */
export interface SendingObserver<Item> {
  sent(item: Item): void;
  /** @param givenUp true when it will not be tried again */
  failed(item: Item, error: unknown, givenUp: boolean): void;
}

/** The cause of failed attempts at an abandoned row: its process ended each time, or the database failed. */
class AttemptsUsedUp extends Error {
  override readonly name = 'AttemptsUsedUp';
}

/**
 * Sends everything that is due. A row is marked as sent once it was accepted; if the process ends between the two, it is
 * sent again.
 * @param send throws when it was not accepted
 * @param isEnded asked before each row
 */
export async function sendWaiting<Item extends Claimed>(
  waiting: Waiting<Item>,
  send: (item: Item) => Promise<void>,
  observer: SendingObserver<Item>,
  { firstDelayMs, longestDelayMs, maxAttempts, isFinal = () => false }: Patience,
  isEnded = () => false,
): Promise<void> {
  while (!isEnded()) {
    const item = await waiting.claim();
    if (item === null) return;
    const { id, attempts } = item;
    try {
      if (attempts > maxAttempts) throw new AttemptsUsedUp();
      await send(item);
    } catch (error) {
      const givenUp = attempts >= maxAttempts || isFinal(error);
      const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
      observer.failed(item, error, givenUp);
      await waiting.putOff(id, givenUp ? null : delayMs);
      continue;
    }
    await waiting.markSent(id);
    observer.sent(item);
  }
}

/** Interval for checking for rows that another instance left behind. */
const lookMs = 30_000;

/**
 * Sends what is due whenever it becomes due.
 * @param onBroken called when the database was unreachable
 */
export function startSender(
  outbox: Outbox,
  send: (item: Claimed) => Promise<void>,
  observer: SendingObserver<Claimed>,
  patience: Patience,
  onBroken: (error: unknown) => void,
) {
  let closed = false;
  let running: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  /** @returns when to look again */
  async function sendAll(): Promise<number> {
    await sendWaiting(outbox, send, observer, patience, () => closed);
    return Math.min(lookMs, (await outbox.waitFor()) ?? lookMs);
  }

  function wake(): void {
    if (closed) return;
    if (running !== null) {
      again = true;
      return;
    }
    clearTimeout(timer);
    again = false;
    running = sendAll()
      .catch((error: unknown) => {
        onBroken(error);
        return lookMs;
      })
      .then((delayMs) => {
        running = null;
        if (closed) return;
        if (again) wake();
        else timer = setTimeout(wake, delayMs).unref();
      });
  }

  wake();
  return {
    /** Looks for rows now instead of in a while. */
    wake,
    /** Lets the row that is being sent finish. */
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
